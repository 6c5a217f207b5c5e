/* Blocks of `.wa` files in the usual layout, read for the scorer. `read_block` in
   `scorer/annotations.py` does the same for a block of any layout. */

#include "kernels.h"
#include <string.h>

#define LONGEST_NUMBER 9

typedef struct {
    const char *begin, *end;
} Span;

/* What a block is read with. All are borrowed. */
typedef struct {
    const char *punctuation; /* the signs; none for a file whose tokens are not read */
    PyObject *known;         /* the alignments by what precedes their comments */
    PyObject *read_line;     /* reads a line that is not known */
    PyTypeObject *link_type; /* the type of aligned chunks; others are unaligned */
    PyObject *no_tokens;
} Reader;

/* Move past the bytes expected at a place, or return 0. */
static int
skip(const char **at, const char *end, const char *expected)
{
    size_t size = strlen(expected);
    if ((size_t)(end - *at) < size || memcmp(*at, expected, size) != 0)
        return 0;
    *at += size;
    return 1;
}

static const char *
find(const char *at, const char *end, char sign)
{
    const char *found = memchr(at, sign, end - at);
    return found == NULL ? end : found;
}

/* Move past the value of an attribute. */
static Span
take_value(const char **at, const char *end)
{
    Span value = {*at, *at};
    while (value.end < end && !memchr("\"<\n", *value.end, 3))
        value.end++;
    *at = value.end;
    return value;
}

/* Move past lines without "<" and the tag after them, or return 0. Lines of alignments may have
   "<==>". */
static int
take_lines(const char **at, const char *end, int of_alignments, Span *lines, const char *tag)
{
    const char *found = find(*at, end, '<');
    while (of_alignments && skip(&found, end, "<==>"))
        found = find(found, end, '<');
    if (found == *at || found[-1] != '\n')
        return 0;
    *lines = (Span){*at, found - 1};
    *at = found;
    return skip(at, end, tag);
}

typedef struct {
    Span id, source, translation, alignment;
} Parts;

/* As `_USUAL_LAYOUT` in `ists/formats/wa.py`. */
static int
find_parts(Span block, Parts *parts)
{
    const char *at = block.begin, *end = block.end;
    Span texts;
    if (!skip(&at, end, "<sentence id=\""))
        return 0;
    parts->id = take_value(&at, end);
    if (!skip(&at, end, "\" status=\""))
        return 0;
    take_value(&at, end);
    if (!skip(&at, end, "\">\n//") || !take_lines(&at, end, 0, &texts, "<source>\n") ||
        !take_lines(&at, end, 0, &parts->source, "</source>\n<translation>\n") ||
        !take_lines(&at, end, 0, &parts->translation, "</translation>\n<alignment>\n") ||
        !take_lines(&at, end, 1, &parts->alignment, "</alignment>\n</sentence>"))
        return 0;
    while (at < end && *at == '\n')
        at++;
    return at == end;
}

static PyObject *
text_of(Span part)
{
    return PyUnicode_DecodeUTF8(part.begin, part.end - part.begin, "surrogateescape");
}

/* The line up to the last "//" in it, or to its beginning. */
static Span
before_comment(Span line)
{
    const char *at = line.end - 2;
    while (at >= line.begin && !(at[0] == '/' && at[1] == '/'))
        at--;
    return (Span){line.begin, at < line.begin ? line.begin : at};
}

/* The alignment in a line, or None; NULL and an exception if there is one. */
static PyObject *
alignment_of(Span line, const Reader *reader, int *well_formed)
{
    PyObject *start = text_of(before_comment(line));
    if (start == NULL)
        return NULL;
    PyObject *alignment = Py_XNewRef(PyDict_GetItemWithError(reader->known, start));
    Py_DECREF(start);
    if (alignment != NULL || PyErr_Occurred())
        return alignment;
    PyObject *text = text_of(line);
    if (text == NULL)
        return NULL;
    PyObject *read = PyObject_CallOneArg(reader->read_line, text);
    Py_DECREF(text);
    if (read == NULL)
        return NULL;
    if (!PyTuple_Check(read) || PyTuple_GET_SIZE(read) != 2) {
        PyErr_SetString(PyExc_TypeError, "expected an alignment and whether it is well-formed");
        Py_DECREF(read);
        return NULL;
    }
    alignment = Py_NewRef(PyTuple_GET_ITEM(read, 0));
    *well_formed &= PyTuple_GET_ITEM(read, 1) == Py_True;
    Py_DECREF(read);
    return alignment;
}

/* Add the alignments of lines to two lists; return whether all went well. */
static int
read_lines(Span lines, const Reader *reader, PyObject *links, PyObject *lone, int *well_formed)
{
    const char *at = lines.begin;
    for (;;) {
        Span line = {at, find(at, lines.end, '\n')};
        PyObject *alignment = alignment_of(line, reader, well_formed);
        if (alignment == NULL)
            return 0;
        PyObject *list = Py_IS_TYPE(alignment, reader->link_type) ? links : lone;
        int failed = alignment != Py_None && PyList_Append(list, alignment) < 0;
        Py_DECREF(alignment);
        if (failed)
            return 0;
        if (line.end == lines.end)
            return 1;
        at = line.end + 1;
    }
}

static int
is_one_of(char sign, const char *signs)
{
    return sign != '\0' && strchr(signs, sign) != NULL;
}

static const char *
skip_any(const char *at, const char *end, const char *signs)
{
    while (at < end && is_one_of(*at, signs))
        at++;
    return at;
}

/* The number of a token that is a punctuation mark, as `_PUNCTUATION_TOKEN` finds it; -1 for
   another token. */
static long
number_of_punctuation(Span line, const char *marks)
{
    const char *at = skip_any(line.begin, line.end, " \t"), *digits = at;
    long number = 0;
    for (; at < line.end && *at >= '0' && *at <= '9' && at - digits < LONGEST_NUMBER; at++)
        number = 10 * number + (*at - '0');
    const char *token = skip_any(at, line.end, " \t");
    if (at == digits || token == at || token == line.end || !is_one_of(*token, marks))
        return -1;
    at = skip_any(token + 1, line.end, " \t");
    if (at == line.end || *at != ':')
        return -1;
    return skip_any(at + 1, line.end, " \t\r") == line.end ? number : -1;
}

/* The set of the numbers of a sentence's punctuation. */
static PyObject *
punctuation_of(Span lines, const Reader *reader)
{
    PyObject *found = Py_NewRef(reader->no_tokens);
    for (const char *at = lines.begin; *reader->punctuation != '\0';) {
        Span line = {at, find(at, lines.end, '\n')};
        long number = number_of_punctuation(line, reader->punctuation);
        if (number >= 0) {
            if (found == reader->no_tokens)
                Py_SETREF(found, PyFrozenSet_New(NULL));
            PyObject *item = found == NULL ? NULL : PyLong_FromLong(number);
            if (item == NULL || PySet_Add(found, item) < 0)
                Py_CLEAR(found);
            Py_XDECREF(item);
        }
        if (found == NULL || line.end == lines.end)
            break;
        at = line.end + 1;
    }
    return found;
}

static Py_ssize_t
count_lines(Span text)
{
    Py_ssize_t lines = 0;
    for (const char *at = text.begin; at < text.end; at++)
        lines += *at == '\n';
    return lines;
}

static PyObject *
read_parts(const Parts *parts, const Reader *reader, Py_ssize_t size)
{
    int well_formed = 1;
    PyObject *links = PyList_New(0), *lone = PyList_New(0), *read = NULL;
    if (links != NULL && lone != NULL &&
        read_lines(parts->alignment, reader, links, lone, &well_formed))
        read = Py_BuildValue("N(NNNN)On", text_of(parts->id), PyList_AsTuple(links),
                             PyList_AsTuple(lone), punctuation_of(parts->source, reader),
                             punctuation_of(parts->translation, reader),
                             well_formed ? Py_True : Py_False, size);
    Py_XDECREF(links);
    Py_XDECREF(lone);
    return read;
}

/* Arguments: the block; the punctuation marks, or none if tokens are not read; the dictionary of
   known alignments, the function that reads another line; the type of links; the empty set. The
   result is None for a block of another layout; else its id; its links, its unaligned chunks and
   the numbers of the punctuation of both sentences; whether all lines of alignments are
   well-formed; the number of lines. */
static PyObject *
read_usual_block(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 6 || !PyBytes_Check(args[0]) || !PyBytes_Check(args[1]) ||
        !PyDict_Check(args[2]) || !PyType_Check(args[4]) || !PyFrozenSet_Check(args[5])) {
        PyErr_SetString(PyExc_TypeError,
                        "expected bytes, bytes, a dictionary, a function, a type and a set");
        return NULL;
    }
    Span block = {PyBytes_AS_STRING(args[0]), NULL};
    block.end = block.begin + PyBytes_GET_SIZE(args[0]);
    Reader reader = {PyBytes_AS_STRING(args[1]), args[2], args[3], (PyTypeObject *)args[4],
                     args[5]};
    Parts parts;
    if (!find_parts(block, &parts))
        Py_RETURN_NONE;
    return read_parts(&parts, &reader, count_lines(block));
}

PyMethodDef block_functions[] = {
    {"read_usual_block", (PyCFunction)(void (*)(void))read_usual_block, METH_FASTCALL,
     "Read a block of a .wa file that has the usual layout."},
    {NULL, NULL, 0, NULL},
};
