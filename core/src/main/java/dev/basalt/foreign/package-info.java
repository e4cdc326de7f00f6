/**
 * Native code, through one class, so that one flag of Java allows all of it. For this library's own modules.
 *
 * @hidden
 */
package dev.basalt.foreign;
