/** LU factorisation and what solves with it. */
package dev.basalt.internal.lu;
