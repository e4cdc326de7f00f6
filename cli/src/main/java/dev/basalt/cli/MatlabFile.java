package dev.basalt.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import us.hebi.matlab.mat.format.Mat5;
import us.hebi.matlab.mat.types.MatFile;
import us.hebi.matlab.mat.types.Sources;
import us.hebi.matlab.mat.types.Sparse;

/** A matrix of a file of MATLAB, version 5 to 7.2, by the MFL library. */
final class MatlabFile {
    private static final int BUFFER = 1 << 16;

    private MatlabFile() {}

    /** Reads the matrix that is named, or the only one. */
    static MatrixFile open(Input input) {
        String wanted = input.member();
        List<String> names = new ArrayList<>();
        us.hebi.matlab.mat.types.Matrix found = null;
        String name = null;
        try (MatFile file = Mat5.newReader(Sources.wrapInputStream(input.stream(), BUFFER))
                .setMaxInflateBufferSize(BUFFER)
                .readMat()) {
            for (MatFile.Entry entry : file.getEntries()) {
                if (entry.getValue() instanceof us.hebi.matlab.mat.types.Matrix matrix
                        && matrix.getNumDimensions() == 2) {
                    names.add(entry.getName());
                    if (wanted == null || wanted.equals(entry.getName())) {
                        found = matrix;
                        name = entry.getName();
                    }
                }
            }
            if (found == null || (wanted == null && names.size() > 1)) {
                throw Members.choose(input.file(), wanted, names);
            }
            return converted(input, found, name);
        } catch (IOException e) {
            throw input.failure(e);
        } finally {
            input.close();
        }
    }

    private static MatrixFile converted(Input input, us.hebi.matlab.mat.types.Matrix from, String name) {
        int m = from.getNumRows();
        int n = from.getNumCols();
        boolean complex = from.isComplex();
        MatrixHeader header = new MatrixHeader.Dense(m, n, complex, "MAT, matrix " + name);
        if (from instanceof Sparse sparse) {
            header = new MatrixHeader.Sparse(m, n, complex, sparse.getNumNonZero(), "MAT, sparse, matrix " + name);
            Triplets triplets = new Triplets(complex, Math.max(1, sparse.getNumNonZero()));
            sparse.forEach((i, j, re, im) -> triplets.add(i, j, ReadFile.finite(input.file(), re, i, j),
                    ReadFile.finite(input.file(), im, i, j)));
            return new ReadFile(input.file(), header, triplets.compress(m, n));
        }
        double[][] columns = ReadFile.columns(input.file(), m, n, complex);
        int parts = complex ? 2 : 1;
        // The library counts elements in an int, so that the index of one has room.
        for (int j = 0; j < n; j++) {
            double[] column = columns[j];
            for (int i = 0; i < m; i++) {
                column[i * parts] = ReadFile.finite(input.file(), from.getDouble(j * m + i), i, j);
                if (complex) {
                    column[2 * i + 1] = ReadFile.finite(input.file(), from.getImaginaryDouble(j * m + i), i, j);
                }
            }
        }
        return new ReadFile(input.file(), header, new DenseMatrix(m, complex, columns));
    }
}
