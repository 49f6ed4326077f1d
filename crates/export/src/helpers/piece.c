/* The last piece of a table that has begun at t, or its first one. */
static const double *piece(unsigned long count, const double (*table)[5], double t)
{
    unsigned long first = 0, last = count - 1;
    while (first < last) {
        const unsigned long middle = (first + last + 1) / 2;
        if (table[middle][0] <= t)
            first = middle;
        else
            last = middle - 1;
    }
    return table[first];
}
