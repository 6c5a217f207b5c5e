/* The type `Chunk`: what `ists/labeler/compiled_rows.py` knows about a chunk, as plain numbers. */

#include "chunks.h"
#include <math.h>

#define LONGEST 120 /* as `_LONGEST` in `ists/labeler/words.py` */

static PyTypeObject *chunk_type;
static PyObject *text_name, *lemma_name, *pos_name, *number_name, *place_name, *names_one_name;

int
is_chunk(PyObject *object)
{
    return Py_IS_TYPE(object, chunk_type);
}

int
is_same_text(PyObject *a, Py_hash_t a_hash, PyObject *b, Py_hash_t b_hash)
{
    return a == b || (a_hash == b_hash && PyUnicode_Compare(a, b) == 0);
}

Py_ssize_t
count_common(const TextSet *a, const TextSet *b)
{
    Py_ssize_t common = 0;
    for (Py_ssize_t i = 0; i < a->count; i++)
        for (Py_ssize_t j = 0; j < b->count; j++)
            common += is_same_text(PyTuple_GET_ITEM(a->texts, i), a->hash[i],
                                   PyTuple_GET_ITEM(b->texts, j), b->hash[j]);
    return common;
}

static int
fill_set(TextSet *set, PyObject *texts)
{
    set->texts = Py_NewRef(texts);
    set->hash = PyMem_Malloc((PyTuple_GET_SIZE(texts) + 1) * sizeof(Py_hash_t));
    if (set->hash == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (; set->count < PyTuple_GET_SIZE(texts); set->count++) {
        PyObject *text = PyTuple_GET_ITEM(texts, set->count);
        if (!PyUnicode_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "expected a tuple of texts");
            return 0;
        }
        set->hash[set->count] = PyObject_Hash(text);
        if (set->hash[set->count] == -1)
            return 0;
    }
    return 1;
}

static void
clear_set(TextSet *set)
{
    Py_CLEAR(set->texts);
    PyMem_Free(set->hash);
}

/* Whether a tuple has as many texts as there are content words, or 0 and an exception. */
static int
are_texts(PyObject *texts, Py_ssize_t count)
{
    int sound = PyTuple_GET_SIZE(texts) == count;
    for (Py_ssize_t k = 0; sound && k < count; k++)
        sound = PyUnicode_Check(PyTuple_GET_ITEM(texts, k));
    if (!sound)
        PyErr_SetString(PyExc_ValueError, "expected a text for each content word");
    return sound;
}

static int
fill_numbers(float *numbers, PyObject *values, Py_ssize_t count)
{
    if (PyTuple_GET_SIZE(values) != count) {
        PyErr_Format(PyExc_ValueError, "%zd numbers, expected %zd", PyTuple_GET_SIZE(values),
                     count);
        return 0;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        double value = PyFloat_AsDouble(PyTuple_GET_ITEM(values, k));
        if (value == -1.0 && PyErr_Occurred())
            return 0;
        numbers[k] = (float)value;
    }
    return 1;
}

/* Whether an attribute is true, or -1 and an exception. */
static int
has(PyObject *word, PyObject *name)
{
    PyObject *value = PyObject_GetAttr(word, name);
    int truth = value == NULL ? -1 : PyObject_IsTrue(value);
    Py_XDECREF(value);
    return truth;
}

static int
part_of(PyObject *pos)
{
    if (!PyUnicode_Check(pos) || PyUnicode_GET_LENGTH(pos) != 1)
        return NO_PART;
    switch (PyUnicode_READ_CHAR(pos, 0)) {
    case 'n':
        return NOUN;
    case 'v':
        return VERB;
    case 'a':
        return ADJECTIVE;
    default:
        return ADVERB;
    }
}

static int
fill_content(Chunk *self, Content *content, PyObject *word)
{
    content->word = word;
    /* Each only if the ones before succeeded: attributes are not looked up while there is an
       exception. */
    PyObject *text = PyObject_GetAttr(word, text_name);
    PyObject *lemma = text == NULL ? NULL : PyObject_GetAttr(word, lemma_name);
    PyObject *pos = lemma == NULL ? NULL : PyObject_GetAttr(word, pos_name);
    if (pos == NULL || !PyUnicode_Check(text) || !PyUnicode_Check(lemma))
        goto error;
    content->text = PyUnicode_GET_LENGTH(text) <= LONGEST ? Py_NewRef(text)
                                                          : PyUnicode_Substring(text, 0, LONGEST);
    int number = content->text == NULL ? -1 : has(word, number_name);
    int place = number < 0 ? -1 : has(word, place_name);
    int names_one = place < 0 ? -1 : has(word, names_one_name);
    Py_hash_t hash = names_one < 0 ? -1 : PyObject_Hash(lemma);
    if (hash == -1)
        goto error;
    content->part = (uint8_t)part_of(pos);
    content->is_number = (uint8_t)number;
    content->is_place = (uint8_t)place;
    content->has_capital = PyUnicode_GET_LENGTH(text) > 0 &&
                           Py_UNICODE_ISUPPER(PyUnicode_READ_CHAR(text, 0));
    content->is_name = names_one && content->has_capital;
    content->lemma = 0;
    while (content->lemma < self->lemmas.count &&
           !is_same_text(PyTuple_GET_ITEM(self->lemmas.texts, content->lemma),
                         self->lemmas.hash[content->lemma], lemma, hash))
        content->lemma++;
    if (content->lemma == self->lemmas.count) {
        PyErr_SetString(PyExc_ValueError, "a word whose lemma is not among the chunk's");
        goto error;
    }
    Py_DECREF(text);
    Py_DECREF(lemma);
    Py_DECREF(pos);
    return 1;
error:
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "expected words");
    Py_XDECREF(text);
    Py_XDECREF(lemma);
    Py_XDECREF(pos);
    return 0;
}

/* Arguments: content words, their keys, head; lemmas, tokens, function words; text, content words
   in lower case, as written, their letters, text of trigrams; preposition, its class, kind,
   determiner, gender, limit of time, position, broad class of the head; number of words, of those
   of letters, of these with a capital; things counted, quantity, opinion, quantifier, doubt;
   certainty, traits; rows, roots and beginnings of oppositions; grammar and field of the head;
   meaning. */
static PyObject *
chunk_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *contents, *keys, *head, *lemmas, *tokens, *functions, *text, *lowers, *texts,
        *letters, *trigrams, *preposition, *preposition_class, *kind, *determiner, *gender,
        *limit, *position, *field, *own, *meaning;
    unsigned long long rows, roots, beginnings;
    Chunk *self = no_keywords(kwargs) ? (Chunk *)type->tp_alloc(type, 0) : NULL;
    if (self == NULL)
        return NULL;
    if (!PyArg_ParseTuple(
            args, "O!O!OO!O!O!UO!O!UUUUOOOOOUnnndddddiiKKKO!O!", &PyTuple_Type, &contents,
            &PyTuple_Type, &keys, &head, &PyTuple_Type, &lemmas, &PyTuple_Type, &tokens,
            &PyTuple_Type, &functions, &text, &PyTuple_Type, &lowers, &PyTuple_Type, &texts,
            &letters, &trigrams, &preposition, &preposition_class, &kind, &determiner, &gender,
            &limit, &position, &field, &self->words, &self->letter_words, &self->capital_words,
            &self->things, &self->quantity, &self->opinion, &self->quantifier, &self->doubt,
            &self->certainty, &self->traits, &rows, &roots, &beginnings, &PyTuple_Type, &own,
            &PyTuple_Type, &meaning))
        goto error;
    if (self->traits < 0 || self->traits >= TRAITS) {
        PyErr_SetString(PyExc_ValueError, "unknown traits");
        goto error;
    }
    self->contents = Py_NewRef(contents);
    self->keys = Py_NewRef(keys);
    self->head_word = Py_NewRef(head);
    self->text = Py_NewRef(text);
    self->lowers = Py_NewRef(lowers);
    self->texts = Py_NewRef(texts);
    self->letters = Py_NewRef(letters);
    self->trigrams = Py_NewRef(trigrams);
    self->preposition = Py_NewRef(preposition);
    self->preposition_class = Py_NewRef(preposition_class);
    self->kind = Py_NewRef(kind);
    self->determiner = Py_NewRef(determiner);
    self->gender = Py_NewRef(gender);
    self->limit = Py_NewRef(limit);
    self->position = Py_NewRef(position);
    self->field = Py_NewRef(field);
    self->rows = rows;
    self->roots = roots;
    self->beginnings = beginnings;
    self->head = -1;
    if (!fill_set(&self->lemmas, lemmas) || !fill_set(&self->tokens, tokens) ||
        !fill_set(&self->functions, functions) ||
        !fill_numbers(self->own, own, OWN) || !fill_numbers(self->meaning, meaning, MEANING))
        goto error;
    Py_ssize_t count = PyTuple_GET_SIZE(contents);
    if (!are_texts(lowers, count) || !are_texts(texts, count))
        goto error;
    if (PyTuple_GET_SIZE(keys) != count) {
        PyErr_SetString(PyExc_ValueError, "expected a key for each content word");
        goto error;
    }
    self->content = PyMem_Calloc(count + 1, sizeof(Content));
    if (self->content == NULL) {
        PyErr_NoMemory();
        goto error;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *word = PyTuple_GET_ITEM(contents, k);
        self->count = k + 1;
        if (!fill_content(self, &self->content[k], word))
            goto error;
        self->content[k].key = PyTuple_GET_ITEM(keys, k);
        if (!is_key(self->content[k].key)) {
            PyErr_SetString(PyExc_TypeError, "expected keys");
            goto error;
        }
        if (self->head < 0 && word == head)
            self->head = k;
    }
    if ((self->head < 0) != (head == Py_None)) {
        PyErr_SetString(PyExc_ValueError, "a head that is not a content word");
        goto error;
    }
    return (PyObject *)self;
error:
    Py_DECREF(self);
    return NULL;
}

static void
chunk_dealloc(Chunk *self)
{
    PyTypeObject *type = Py_TYPE(self);
    for (Py_ssize_t k = 0; k < self->count; k++)
        Py_XDECREF(self->content[k].text);
    PyMem_Free(self->content);
    clear_set(&self->lemmas);
    clear_set(&self->tokens);
    clear_set(&self->functions);
    PyObject *held[] = {self->contents, self->keys, self->head_word, self->text, self->lowers,
                        self->texts, self->letters, self->trigrams, self->preposition,
                        self->preposition_class, self->kind, self->determiner, self->gender,
                        self->limit, self->position, self->field};
    for (size_t k = 0; k < sizeof(held) / sizeof(*held); k++)
        Py_XDECREF(held[k]);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyType_Slot chunk_slots[] = {
    {Py_tp_new, chunk_new},
    {Py_tp_dealloc, chunk_dealloc},
    {0, NULL},
};
static PyType_Spec chunk_spec = {
    "ists._kernels.Chunk", sizeof(Chunk), 0, Py_TPFLAGS_DEFAULT, chunk_slots,
};

static int
intern_names(void)
{
    return (text_name = PyUnicode_InternFromString("text")) != NULL &&
           (lemma_name = PyUnicode_InternFromString("lemma")) != NULL &&
           (pos_name = PyUnicode_InternFromString("pos")) != NULL &&
           (number_name = PyUnicode_InternFromString("is_number")) != NULL &&
           (place_name = PyUnicode_InternFromString("is_place")) != NULL &&
           (names_one_name = PyUnicode_InternFromString("names_one")) != NULL;
}

int
add_chunk_type(PyObject *module)
{
    if (chunk_type == NULL) {
        if (!intern_names())
            return -1;
        chunk_type = (PyTypeObject *)PyType_FromSpec(&chunk_spec);
        if (chunk_type == NULL)
            return -1;
    }
    return PyModule_AddObjectRef(module, "Chunk", (PyObject *)chunk_type);
}
