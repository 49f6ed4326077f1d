def _piece(table, t):
    """The last piece of a table that has begun at t, or its first one."""
    first, last = 0, len(table) - 1
    while first < last:
        middle = (first + last + 1) // 2
        if table[middle][0] <= t:
            first = middle
        else:
            last = middle - 1
    return table[first]
