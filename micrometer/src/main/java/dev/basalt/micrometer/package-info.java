/** The numbers of Basalt's workspaces for Micrometer, and so for Prometheus, Datadog and others. */
package dev.basalt.micrometer;
