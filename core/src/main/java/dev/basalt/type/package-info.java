/** Element types, complex numbers and the options of BLAS: the words that the API and the devices share. */
package dev.basalt.type;
