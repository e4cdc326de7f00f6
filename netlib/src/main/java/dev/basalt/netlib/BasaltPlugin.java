package dev.basalt.netlib;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Puts Basalt behind Spark MLlib and Breeze on the driver and on each executor: {@code spark.plugins=dev.basalt.netlib.BasaltPlugin}. Spark
 * starts its plugins before the first job, so before anything asks netlib for an instance. Two gauges of Spark's metrics,
 * {@code served} and {@code delegated}, say how many calls Basalt and netlib's own Java did.
 */
public final class BasaltPlugin implements SparkPlugin {
    /** Spark makes an instance by this constructor. */
    public BasaltPlugin() {}

    @Override
    public DriverPlugin driverPlugin() {
        return new DriverPlugin() {
            @Override
            public Map<String, String> init(SparkContext context, PluginContext plugin) {
                SparkFields.install();
                return Map.of();
            }

            @Override
            public void registerMetrics(String application, PluginContext plugin) {
                gauges(plugin.metricRegistry());
            }
        };
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            @Override
            public void init(PluginContext plugin, Map<String, String> extra) {
                SparkFields.install();
                gauges(plugin.metricRegistry());
            }
        };
    }

    private static void gauges(MetricRegistry registry) {
        gauge(registry, "served", Netlib::served);
        gauge(registry, "delegated", Netlib::delegated);
    }

    private static void gauge(MetricRegistry registry, String name, Supplier<SortedMap<String, Long>> counts) {
        Gauge<Long> sum = () -> counts.get().values().stream().mapToLong(Long::longValue).sum();
        registry.register(name, sum);
    }
}
