/** Instructions of x86-64 by name, and what of them this processor has. */
package dev.basalt.host.assembled.x86;
