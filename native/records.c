/* Construction of frozen dataclasses with slots. Their own `__init__` sets each field by a call of
   `object.__setattr__`; this stores the arguments in the slots. */

#include "kernels.h"
#include <structmember.h>

#define MOST_TYPES 64
#define MOST_FIELDS 24

typedef struct {
    PyTypeObject *type;
    PyObject *names;
    Py_ssize_t count;
    Py_ssize_t offset[MOST_FIELDS];
} Record;

static Record records[MOST_TYPES];
static int record_count;

static const Record *
record_of(PyObject *type)
{
    for (int k = 0; k < record_count; k++)
        if ((PyObject *)records[k].type == type)
            return &records[k];
    return NULL;
}

static Py_ssize_t
place_of_name(const Record *record, PyObject *name)
{
    for (Py_ssize_t k = 0; k < record->count; k++) /* names are interned, mostly */
        if (PyTuple_GET_ITEM(record->names, k) == name)
            return k;
    return -1;
}

/* As Python does it, with defaults and errors. */
static PyObject *
construct_slowly(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    PyObject *positional = PyTuple_New(nargs), *named = NULL, *built = NULL;
    if (positional == NULL)
        return NULL;
    for (Py_ssize_t k = 0; k < nargs; k++)
        PyTuple_SET_ITEM(positional, k, Py_NewRef(args[k]));
    if (names != NULL) {
        named = PyDict_New();
        for (Py_ssize_t k = 0; named != NULL && k < PyTuple_GET_SIZE(names); k++)
            if (PyDict_SetItem(named, PyTuple_GET_ITEM(names, k), args[nargs + k]) < 0)
                Py_CLEAR(named);
        if (named == NULL)
            goto end;
    }
    built = PyType_Type.tp_call(type, positional, named);
end:
    Py_DECREF(positional);
    Py_XDECREF(named);
    return built;
}

static PyObject *
construct(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *names)
{
    const Record *record = record_of(type);
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    Py_ssize_t named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    PyObject *values[MOST_FIELDS] = {NULL};
    if (record == NULL || nargs + named != record->count)
        return construct_slowly(type, args, nargs, names);
    for (Py_ssize_t k = 0; k < nargs; k++)
        values[k] = args[k];
    for (Py_ssize_t k = 0; k < named; k++) {
        Py_ssize_t place = place_of_name(record, PyTuple_GET_ITEM(names, k));
        if (place < 0 || values[place] != NULL)
            return construct_slowly(type, args, nargs, names);
        values[place] = args[nargs + k];
    }
    PyObject *built = record->type->tp_alloc(record->type, 0);
    for (Py_ssize_t k = 0; built != NULL && k < record->count; k++)
        *(PyObject **)((char *)built + record->offset[k]) = Py_NewRef(values[k]);
    return built;
}

/* Arguments: the class, the names of its fields in their order. */
static PyObject *
build_quickly(PyObject *module, PyObject *args)
{
    PyTypeObject *type;
    PyObject *names;
    if (!PyArg_ParseTuple(args, "O!O!", &PyType_Type, &type, &PyTuple_Type, &names))
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(names);
    if (record_count == MOST_TYPES || count > MOST_FIELDS || !(type->tp_flags & Py_TPFLAGS_HEAPTYPE))
        Py_RETURN_FALSE;
    Record *record = &records[record_count];
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *slot = PyObject_GetAttr((PyObject *)type, PyTuple_GET_ITEM(names, k));
        if (slot == NULL)
            return NULL;
        int is_slot = Py_IS_TYPE(slot, &PyMemberDescr_Type);
        if (is_slot)
            record->offset[k] = ((PyMemberDescrObject *)slot)->d_member->offset;
        Py_DECREF(slot);
        if (!is_slot)
            Py_RETURN_FALSE;
    }
    record->type = (PyTypeObject *)Py_NewRef(type);
    record->names = Py_NewRef(names);
    record->count = count;
    record_count++;
    type->tp_vectorcall = construct;
    Py_RETURN_TRUE;
}

PyMethodDef record_functions[] = {
    {"build_quickly", build_quickly, METH_VARARGS,
     "Let calls of a frozen dataclass with slots store its fields directly."},
    {NULL, NULL, 0, NULL},
};
