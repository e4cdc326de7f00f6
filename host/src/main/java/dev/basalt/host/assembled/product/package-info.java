/** Level 3: products, and solves that go by products. */
package dev.basalt.host.assembled.product;
