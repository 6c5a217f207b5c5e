/* Pairs of words without any relation, which most are: the fast filter of `Lexicon.relations`. */

#include "kernels.h"

enum { FUNCTION = 1, PLACE = 2, QUANTITY = 4, SHORT = 8, IN_SETS = 16, KNOWN = 32 };

typedef struct {
    PyObject_HEAD
    PyObject *form, *lower, *letters, *lemma_letters, *lemmas, *profile;
    int flags;
    uint32_t number; /* of its own; 0 if there are no more */
} Key;

static PyTypeObject *key_type;
static uint32_t last_number;

/* Pairs of keys that were found to be unrelated: most words meet the same others again. */
#define SLOT_BITS 16
static uint64_t unrelated[1 << SLOT_BITS];

/* Arguments: flags, normal form, text in lower case, its letters, those of its lemma, a tuple of its
   lemmas, its profile. */
static PyObject *
key_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    int flags;
    PyObject *form, *lower, *letters, *lemma_letters, *lemmas, *profile;
    if (!no_keywords(kwargs) ||
        !PyArg_ParseTuple(args, "iUUUUO!O", &flags, &form, &lower, &letters, &lemma_letters,
                          &PyTuple_Type, &lemmas, &profile))
        return NULL;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(lemmas); k++) {
        if (!PyUnicode_Check(PyTuple_GET_ITEM(lemmas, k))) {
            PyErr_SetString(PyExc_TypeError, "expected texts as lemmas");
            return NULL;
        }
    }
    if (!(flags & FUNCTION) && !is_profile(profile))
        return NULL;
    Key *self = (Key *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->flags = flags;
    self->number = last_number < UINT32_MAX ? ++last_number : 0;
    self->form = Py_NewRef(form);
    self->lower = Py_NewRef(lower);
    self->letters = Py_NewRef(letters);
    self->lemma_letters = Py_NewRef(lemma_letters);
    self->lemmas = Py_NewRef(lemmas);
    self->profile = Py_NewRef(profile);
    return (PyObject *)self;
}

static void
key_dealloc(Key *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(self->form);
    Py_XDECREF(self->lower);
    Py_XDECREF(self->letters);
    Py_XDECREF(self->lemma_letters);
    Py_XDECREF(self->lemmas);
    Py_XDECREF(self->profile);
    type->tp_free(self);
    Py_DECREF(type);
}

static int
equal(PyObject *a, PyObject *b)
{
    return a == b || PyUnicode_Compare(a, b) == 0;
}

static int
share_a_lemma(PyObject *a, PyObject *b)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(a); i++)
        for (Py_ssize_t j = 0; j < PyTuple_GET_SIZE(b); j++)
            if (equal(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, j)))
                return 1;
    return 0;
}

/* Whether the last characters of two texts are equal, up to three. */
static int
end_alike(PyObject *a, PyObject *b)
{
    Py_ssize_t as = PyUnicode_GET_LENGTH(a), bs = PyUnicode_GET_LENGTH(b);
    for (int k = 1; k <= 3; k++) {
        if (k > as || k > bs)
            return 1;
        if (PyUnicode_READ_CHAR(a, as - k) != PyUnicode_READ_CHAR(b, bs - k))
            return 0;
    }
    return 1;
}

static int
ends_with(PyObject *text, const char *ending, Py_ssize_t size)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (length < size)
        return 0;
    for (Py_ssize_t k = 0; k < size; k++)
        if (PyUnicode_READ_CHAR(text, length - size + k) != (Py_UCS4)ending[k])
            return 0;
    return 1;
}

/* Whether the words may differ by an affix or a slip of the pen. */
static int
may_be_spelt_alike(const Key *one, const Key *other)
{
    PyObject *a = one->lower, *b = other->lower;
    if (end_alike(a, b) || (ends_with(a, "ful", 3) && ends_with(b, "less", 4)) ||
        (ends_with(a, "less", 4) && ends_with(b, "ful", 3)))
        return 1;
    if (one->flags & other->flags & KNOWN)
        return 0;
    Py_ssize_t as = PyUnicode_GET_LENGTH(a), bs = PyUnicode_GET_LENGTH(b);
    return as - bs <= 1 && bs - as <= 1 &&
           (as == 0 || bs == 0 || PyUnicode_READ_CHAR(a, 0) == PyUnicode_READ_CHAR(b, 0));
}

int
is_key(PyObject *object)
{
    return Py_IS_TYPE(object, key_type);
}

PyObject *
profile_of_key(PyObject *key)
{
    return ((Key *)key)->flags & FUNCTION ? NULL : ((Key *)key)->profile;
}

static int
have_nothing_in_common(const Key *one, const Key *other)
{
    return !(equal(one->form, other->form) || share_a_lemma(one->lemmas, other->lemmas) ||
             (PyUnicode_GET_LENGTH(one->letters) && equal(one->letters, other->letters)) ||
             (PyUnicode_GET_LENGTH(one->lemma_letters) &&
              equal(one->lemma_letters, other->lemma_letters)) ||
             may_be_spelt_alike(one, other) || are_related(one->profile, other->profile));
}

int
are_unrelated(PyObject *a, PyObject *b)
{
    const Key *one = (Key *)a, *other = (Key *)b;
    if ((one->flags | other->flags) & (FUNCTION | SHORT) ||
        one->flags & other->flags & (PLACE | QUANTITY | IN_SETS))
        return 0;
    uint32_t low = one->number < other->number ? one->number : other->number;
    uint64_t both = (uint64_t)low << 32 | (one->number ^ other->number ^ low);
    uint64_t *slot = &unrelated[both * 0x9E3779B97F4A7C15u >> (64 - SLOT_BITS)];
    if (low && *slot == both)
        return 1;
    if (!have_nothing_in_common(one, other))
        return 0;
    *slot = both;
    return 1;
}

/* Whether two words certainly have no relation; False if they must be compared fully. */
static PyObject *
key_is_unrelated(PyObject *self, PyObject *with)
{
    if (!is_key(with)) {
        PyErr_SetString(PyExc_TypeError, "expected a key");
        return NULL;
    }
    return PyBool_FromLong(are_unrelated(self, with));
}

static PyMethodDef key_methods[] = {
    {"is_unrelated", key_is_unrelated, METH_O,
     "Return whether a word certainly has no relation to another one."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot key_slots[] = {
    {Py_tp_new, key_new},
    {Py_tp_dealloc, key_dealloc},
    {Py_tp_methods, key_methods},
    {0, NULL},
};
static PyType_Spec key_spec = {
    "ists._kernels.Key", sizeof(Key), 0, Py_TPFLAGS_DEFAULT, key_slots,
};

int
add_key_type(PyObject *module)
{
    if (key_type == NULL)
        key_type = (PyTypeObject *)PyType_FromSpec(&key_spec);
    return key_type == NULL ? -1 : PyModule_AddObjectRef(module, "Key", (PyObject *)key_type);
}
