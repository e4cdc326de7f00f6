/** Householder reflectors: panels of QR, and products with what they left. */
package dev.basalt.host.assembled.reflect;
