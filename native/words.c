/* Words as characters: their place in a sorted list, and the trigrams they share. */

#include "chunks.h"
#include <stdlib.h>
#include <string.h>

/* The place of a word in a list that is sorted, joined by line feeds and encoded as UTF-8; -1 if it
   is not there. Arguments: the list, the offset of each word and the text's length + 1, the word.
   The offsets are not checked: `WordList` computes them from the text. */
static PyObject *
place_of_word(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    Py_buffer text, starts;
    Py_ssize_t size;
    if (nargs != 3) {
        PyErr_SetString(PyExc_TypeError, "expected three arguments");
        return NULL;
    }
    const char *word = PyUnicode_AsUTF8AndSize(args[2], &size);
    if (word == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
            return NULL;
        PyErr_Clear(); /* lone surrogates are in no word of the list */
        return PyLong_FromLong(-1);
    }
    if (!array_of(args[0], &text, 1, PyBUF_SIMPLE))
        return NULL;
    if (!array_of(args[1], &starts, 4, PyBUF_SIMPLE)) {
        PyBuffer_Release(&text);
        return NULL;
    }
    const uint32_t *start = starts.buf;
    Py_ssize_t low = 0, high = starts.len / 4 - 1, place = -1;
    while (low < high && place < 0) {
        Py_ssize_t middle = (low + high) / 2;
        Py_ssize_t own = (Py_ssize_t)start[middle + 1] - start[middle] - 1;
        int order = memcmp((const char *)text.buf + start[middle], word, own < size ? own : size);
        if (order == 0 && own == size)
            place = middle;
        else if (order < 0 || (order == 0 && own < size))
            low = middle + 1;
        else
            high = middle;
    }
    PyBuffer_Release(&text);
    PyBuffer_Release(&starts);
    return PyLong_FromSsize_t(place);
}

#define FEW 256

typedef struct {
    uint64_t *item;
    Py_ssize_t count;
    uint64_t first[FEW];
} Trigrams;

static int
by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The different trigrams of a text, sorted; a text of fewer characters is one itself. */
static int
find_trigrams(PyObject *text, Trigrams *found)
{
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "expected a text");
        return 0;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), count = length > 3 ? length - 2 : 1;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    found->item = count <= FEW ? found->first : PyMem_Malloc(count * sizeof(uint64_t));
    if (found->item == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        uint64_t trigram = 0;
        for (Py_ssize_t k = at; k < at + 3; k++) /* 0x1FFFFF: no character */
            trigram = trigram << 21 | (k < length ? PyUnicode_READ(kind, data, k) : 0x1FFFFF);
        found->item[at] = trigram;
    }
    qsort(found->item, count, sizeof(uint64_t), by_value);
    found->count = 0;
    for (Py_ssize_t at = 0; at < count; at++)
        if (at == 0 || found->item[at] != found->item[found->count - 1])
            found->item[found->count++] = found->item[at];
    return 1;
}

static void
free_trigrams(Trigrams *found)
{
    if (found->item != found->first)
        PyMem_Free(found->item);
}

double
overlap_of_trigrams(PyObject *text, PyObject *with)
{
    Trigrams one, two;
    if (!find_trigrams(text, &one))
        return -1.0;
    if (!find_trigrams(with, &two)) {
        free_trigrams(&one);
        return -1.0;
    }
    Py_ssize_t i = 0, j = 0, common = 0;
    while (i < one.count && j < two.count) {
        uint64_t x = one.item[i], y = two.item[j];
        common += x == y;
        i += x <= y;
        j += y <= x;
    }
    free_trigrams(&one);
    free_trigrams(&two);
    return (double)common / (double)(one.count + two.count - common);
}

/* The Jaccard index of the trigrams of two texts. */
static PyObject *
trigram_overlap(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 2) {
        PyErr_SetString(PyExc_TypeError, "expected two arguments");
        return NULL;
    }
    double overlap = overlap_of_trigrams(args[0], args[1]);
    return overlap < 0 ? NULL : PyFloat_FromDouble(overlap);
}

PyMethodDef word_functions[] = {
    {"place_of_word", (PyCFunction)(void (*)(void))place_of_word, METH_FASTCALL,
     "Return the place of a word in a sorted list."},
    {"trigram_overlap", (PyCFunction)(void (*)(void))trigram_overlap, METH_FASTCALL,
     "Return the Jaccard index of the trigrams of two texts."},
    {NULL, NULL, 0, NULL},
};
