/* The links of a sentence pair in two files compared. `_judge_links` in `scorer/measures.py` does
   the same for any links; here, no token is in two links of a file. */

#include "kernels.h"
#include <string.h>

#define MOST_LINKS 64
#define MEASURES 4
#define TOO_HARD (-1) /* left to Python */
#define FAILED (-2)   /* with an exception */
#define MOST_TOKENS 128 /* of a sentence that have bits, as `_TOKENS_WITH_BITS` */
#define WORDS 5         /* for these bits, which begin with the third */

typedef struct {
    uint64_t word[WORDS];
} Bits;

/* A link, as `Link`. The objects are borrowed. */
typedef struct {
    PyObject *tokens1; /* NULL if it is not known in which order Python has them */
    PyObject *labels, *score;
    double weight, mass;
    Bits bits;
} Link;

typedef struct {
    PyObject *match, *credit;
    double precision[MEASURES], recall[MEASURES];
} Hits;

static int
bits_of(PyObject *number, Bits *bits)
{
#if PY_VERSION_HEX >= 0x030D0000
    int flags = Py_ASNATIVEBYTES_LITTLE_ENDIAN | Py_ASNATIVEBYTES_UNSIGNED_BUFFER |
                Py_ASNATIVEBYTES_REJECT_NEGATIVE;
    Py_ssize_t size = PyLong_AsNativeBytes(number, bits->word, sizeof(bits->word), flags);
    if (size > (Py_ssize_t)sizeof(bits->word))
        PyErr_SetString(PyExc_OverflowError, "too many bits");
    return 0 <= size && size <= (Py_ssize_t)sizeof(bits->word);
#else
    return _PyLong_AsByteArray((PyLongObject *)number, (unsigned char *)bits->word,
                               sizeof(bits->word), 1, 0) == 0;
#endif
}

static int
any(const Bits *bits)
{
    uint64_t all = 0;
    for (int k = 0; k < WORDS; k++)
        all |= bits->word[k];
    return all != 0;
}

static Bits
common(const Bits *one, const Bits *other)
{
    Bits both;
    for (int k = 0; k < WORDS; k++)
        both.word[k] = one->word[k] & other->word[k];
    return both;
}

static int
share(const Bits *one, const Bits *other)
{
    Bits both = common(one, other);
    return any(&both);
}

static int
count(uint64_t word)
{
    int bits = 0;
    for (; word; word &= word - 1)
        bits++;
    return bits;
}

/* Count the tokens of both sentences: their bits alternate. */
static void
count_tokens(const Bits *bits, int *tokens1, int *tokens2)
{
    const uint64_t first = 0x5555555555555555;
    *tokens1 = *tokens2 = 0;
    for (int k = 0; k < WORDS; k++) {
        *tokens1 += count(bits->word[k] & first);
        *tokens2 += count(bits->word[k] & ~first);
    }
}

static int
has_token1(const Bits *bits, long token)
{
    const unsigned char *bytes = (const unsigned char *)bits->word;
    return 0 < token && token <= MOST_TOKENS && bytes[token / 4] >> 2 * (token % 4) & 1;
}

static int
read_link(PyObject *item, Link *link)
{
    if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 7 ||
        !PyFrozenSet_Check(PyTuple_GET_ITEM(item, 0)) || !PyLong_Check(PyTuple_GET_ITEM(item, 6))) {
        PyErr_SetString(PyExc_TypeError, "expected a link");
        return 0;
    }
    link->tokens1 = PyTuple_GET_ITEM(item, 0);
    link->labels = PyTuple_GET_ITEM(item, 2);
    link->score = PyTuple_GET_ITEM(item, 3);
    link->weight = PyFloat_AsDouble(PyTuple_GET_ITEM(item, 4));
    link->mass = PyFloat_AsDouble(PyTuple_GET_ITEM(item, 5));
    return !PyErr_Occurred() && bits_of(PyTuple_GET_ITEM(item, 6), &link->bits);
}

/* Leave out the tokens to skip; return whether there are others in both chunks. */
static int
cut(Link *link, const Bits *skip)
{
    int tokens1, tokens2;
    for (int k = 0; k < WORDS; k++)
        link->bits.word[k] &= ~skip->word[k];
    count_tokens(&link->bits, &tokens1, &tokens2);
    if (tokens1 == 0 || tokens2 == 0)
        return 0;
    link->tokens1 = NULL;
    link->weight = 1.0 / (tokens1 > tokens2 ? tokens1 : tokens2);
    link->mass = tokens1 < tokens2 ? tokens1 : tokens2;
    return 1;
}

/* Read the links of a file without the tokens to skip. Return their number; TOO_HARD if a token is
   in two of them or has no bit, or if they are too many. */
static Py_ssize_t
read_links(PyObject *items, const Bits *skip, Link *links, double *mass)
{
    Py_ssize_t size = 0;
    Bits seen = {{0}};
    if (PyTuple_GET_SIZE(items) > MOST_LINKS)
        return TOO_HARD;
    *mass = 0.0;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(items); k++) {
        Link *link = &links[size];
        if (!read_link(PyTuple_GET_ITEM(items, k), link))
            return FAILED;
        if (!any(&link->bits))
            return TOO_HARD;
        if (share(&link->bits, skip) && !cut(link, skip))
            continue;
        if (share(&link->bits, &seen))
            return TOO_HARD;
        for (int n = 0; n < WORDS; n++)
            seen.word[n] |= link->bits.word[n];
        *mass += link->mass;
        size++;
    }
    return size;
}

/* Add the credit of the token links that two links share, if any. */
static int
add_hit(const Link *theirs, const Link *ours, Hits *hits)
{
    Bits both = common(&theirs->bits, &ours->bits);
    int tokens1, tokens2;
    count_tokens(&both, &tokens1, &tokens2);
    int shared = tokens1 * tokens2;
    if (shared == 0)
        return 1;
    PyObject *args[] = {theirs->labels, theirs->score, ours->labels, ours->score, hits->match};
    PyObject *credits = PyObject_Vectorcall(hits->credit, args, 5, NULL);
    if (credits == NULL)
        return 0;
    if (!PyTuple_Check(credits) || PyTuple_GET_SIZE(credits) != MEASURES - 1) {
        PyErr_SetString(PyExc_TypeError, "expected three credits");
        Py_DECREF(credits);
        return 0;
    }
    double in_system = shared * ours->weight, in_gold = shared * theirs->weight;
    hits->precision[0] += in_system;
    hits->recall[0] += in_gold;
    for (int k = 1; k < MEASURES; k++) {
        double credit = PyFloat_AsDouble(PyTuple_GET_ITEM(credits, k - 1));
        hits->precision[k] += in_system * credit;
        hits->recall[k] += in_gold * credit;
    }
    Py_DECREF(credits);
    return !PyErr_Occurred();
}

/* Add the hits of a link that shares tokens with several of the gold, in the order of its tokens:
   sums of floating-point numbers depend on it. */
static int
add_parts(const Link *gold, Py_ssize_t size, const Link *ours, Hits *hits)
{
    if (ours->tokens1 == NULL)
        return TOO_HARD;
    PyObject *tokens = PyObject_GetIter(ours->tokens1), *token;
    uint64_t seen = 0;
    if (tokens == NULL)
        return FAILED;
    while ((token = PyIter_Next(tokens)) != NULL) {
        long number = PyLong_AsLong(token);
        Py_DECREF(token);
        for (Py_ssize_t k = 0; k < size; k++) {
            if (seen >> k & 1 || !has_token1(&gold[k].bits, number))
                continue;
            seen |= (uint64_t)1 << k;
            if (!add_hit(&gold[k], ours, hits)) {
                Py_DECREF(tokens);
                return FAILED;
            }
        }
    }
    Py_DECREF(tokens);
    return PyErr_Occurred() ? FAILED : 0;
}

static int
add_hits(const Link *gold, Py_ssize_t size, const Link *ours, Hits *hits)
{
    const Link *near = NULL;
    for (Py_ssize_t k = 0; k < size; k++) {
        if (!share(&gold[k].bits, &ours->bits))
            continue;
        if (near != NULL)
            return add_parts(gold, size, ours, hits);
        near = &gold[k];
    }
    return near == NULL || add_hit(near, ours, hits) ? 0 : FAILED;
}

/* A tuple of the sums. Equal ones are one object: each pair's are kept. */
static PyObject *
four(const double *sums)
{
    PyObject *found = PyTuple_New(MEASURES);
    for (int k = 0; found != NULL && k < MEASURES; k++) {
        int again = k > 0 && sums[k] == sums[0];
        PyObject *sum =
            again ? Py_NewRef(PyTuple_GET_ITEM(found, 0)) : PyFloat_FromDouble(sums[k]);
        PyTuple_SET_ITEM(found, k, sum);
        if (sum == NULL)
            Py_CLEAR(found);
    }
    return found;
}

/* Arguments: the links of the gold and of the system; the bits of the gold's punctuation; how
   labels are matched, and the function that returns the credit of a link. The result is None if the
   links are too hard; else the weights of the system's and of the gold's links, and the hits
   weighted as in the system and as in the gold. */
static PyObject *
judge_links(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 5 || !PyTuple_Check(args[0]) || !PyTuple_Check(args[1]) ||
        !PyLong_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "expected links, links, bits, a name and a function");
        return NULL;
    }
    Hits hits = {.match = args[3], .credit = args[4]};
    Link gold[MOST_LINKS], system[MOST_LINKS];
    double in_gold, in_system;
    Bits skip;
    if (!bits_of(args[2], &skip))
        return NULL;
    Py_ssize_t gold_size = read_links(args[0], &skip, gold, &in_gold);
    Py_ssize_t system_size = gold_size < 0 ? gold_size
                                           : read_links(args[1], &skip, system, &in_system);
    Py_ssize_t outcome = system_size < 0 ? system_size : 0;
    for (Py_ssize_t k = 0; outcome == 0 && k < system_size; k++)
        outcome = add_hits(gold, gold_size, &system[k], &hits);
    if (outcome == TOO_HARD)
        Py_RETURN_NONE;
    if (outcome == FAILED)
        return NULL;
    return Py_BuildValue("ddNN", in_system, in_gold, four(hits.precision), four(hits.recall));
}

PyMethodDef link_functions[] = {
    {"judge_links", (PyCFunction)(void (*)(void))judge_links, METH_FASTCALL,
     "Compare the links of a sentence pair in two files."},
    {NULL, NULL, 0, NULL},
};
