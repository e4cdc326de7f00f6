/** JFR events; free when off. */
package dev.basalt.internal.telemetry;
