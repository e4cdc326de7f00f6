/** The panels of factorisations, and interchanges of rows. */
package dev.basalt.host.assembled.factor;
