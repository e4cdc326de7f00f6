package dev.basalt.cuda;

import dev.basalt.foreign.NativeAccess;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds libraries of the CUDA toolkit, which a machine with a GPU may or may not have. */
final class ToolkitLibrary {
    private ToolkitLibrary() {}

    /**
     * Loads a library.
     *
     * @param property a system property that names its file and ends the search
     * @param tried gets what was tried in vain
     * @param names its names, the usual one first
     * @return null if it is nowhere
     */
    static SymbolLookup find(String property, List<String> tried, String... names) {
        for (String place : places(property, names)) {
            try {
                return NativeAccess.library(place);
            } catch (IllegalArgumentException e) {
                tried.add(place);
            }
        }
        return null;
    }

    private static List<String> places(String property, String... names) {
        String set = System.getProperty(property);
        if (set != null) {
            return List.of(set);
        }
        List<String> places = new ArrayList<>(List.of(names));
        for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
            String home = System.getenv(variable);
            if (home != null && !home.isEmpty()) {
                places.add(Path.of(home, "lib64", names[0]).toString());
            }
        }
        places.add("/usr/local/cuda/lib64/" + names[0]);
        return places;
    }
}
