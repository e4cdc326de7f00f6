package example;

import dev.basalt.netlib.Netlib;
import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.spark.ml.feature.PCA;
import org.apache.spark.ml.feature.PCAModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Linear regression and principal components by Spark MLlib, with Basalt behind it. The setting spark.plugins is all there is to it. */
public class SparkSetting {
    private SparkSetting() {}

    public static void main(String[] args) throws IOException {
        try (SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.plugins", "dev.basalt.netlib.BasaltPlugin") // the one setting
                .config("spark.ui.enabled", false)
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .getOrCreate()) {
            System.out.println("BLAS: " + BLAS.getInstance().getClass().getName());
            System.out.println("LAPACK: " + LAPACK.getInstance().getClass().getName());
            Dataset<Row> points = points(spark);
            LinearRegressionModel line = new LinearRegression().setSolver("normal").fit(points);
            double[] c = line.coefficients().toArray();
            System.out.printf(Locale.ROOT, "y = %.2f x1 %+.2f x2 %+.2f x3 %+.2f%n", c[0], c[1], c[2], line.intercept());
            PCAModel components = new PCA().setInputCol("features").setOutputCol("components").setK(2).fit(points);
            double[] shares = components.explainedVariance().toArray();
            System.out.printf(Locale.ROOT, "two components explain %.1f %% and %.1f %% of the variance%n",
                    100 * shares[0], 100 * shares[1]);
        }
        System.out.println("Basalt computed " + String.join(", ", Netlib.served().keySet()));
    }

    /** y = 2·x₁ - x₂ + x₃/2 + 3 and noise; x₁ spreads most. */
    private static Dataset<Row> points(SparkSession spark) {
        Random random = new Random(42);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            double[] x = {5 * random.nextGaussian(), 2 * random.nextGaussian(), random.nextGaussian()};
            double y = 2 * x[0] - x[1] + x[2] / 2 + 3 + 0.1 * random.nextGaussian();
            rows.add(RowFactory.create(y, Vectors.dense(x)));
        }
        return spark.createDataFrame(rows, new StructType(new StructField[] {
                DataTypes.createStructField("label", DataTypes.DoubleType, false),
                DataTypes.createStructField("features", SQLDataTypes.VectorType(), false)}));
    }
}
