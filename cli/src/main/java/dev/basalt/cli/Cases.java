package dev.basalt.cli;

import dev.basalt.bench.Arguments;
import dev.basalt.bench.Sweep;
import dev.basalt.bench.Workload;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Many cases in a YAML file: a list of mappings from the names of options to values; a value may be a list, or a range as on the
 * command line. The options of the command line hold for all cases that do not say otherwise.
 */
final class Cases {
    private final Path file;
    private final Arguments defaults;

    Cases(Path file, Arguments defaults) {
        this.file = file;
        this.defaults = defaults;
    }

    /**
     * Reads all cases.
     *
     * @return workloads in the order of the file
     * @throws Failure that names the file and the line, if something is wrong
     */
    List<Workload> read() {
        Node root = root();
        if (!(root instanceof SequenceNode list)) {
            throw wrong(root, "a list of cases is expected, each beginning with \"- function: ...\"");
        }
        List<Workload> all = new ArrayList<>();
        for (Node node : list.getValue()) {
            all.addAll(workloads(node));
        }
        if (all.isEmpty()) {
            throw wrong(root, "there is no case");
        }
        return all;
    }

    private Node root() {
        if (!Files.isRegularFile(file)) {
            throw new Failure(file + ": no such file");
        }
        try {
            LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
            StreamReader reader = new StreamReader(settings, Files.readString(file));
            return new Composer(settings, new ParserImpl(settings, reader)).getSingleNode()
                    .orElseThrow(() -> new Failure(file + ": the file is empty"));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new Failure(file + ":" + line + ": " + e.getProblem(), e);
        } catch (CharacterCodingException e) {
            throw new Failure(file + ": not a text in UTF-8", e);
        } catch (YamlEngineException | IOException e) {
            throw new Failure(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private List<Workload> workloads(Node node) {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong(node, "a case is a mapping such as {function: gemm, precision: d, n: 512}");
        }
        Arguments arguments = defaults;
        for (NodeTuple pair : mapping.getValue()) {
            String name = scalar(pair.getKeyNode());
            if (!Arguments.NAMES.contains(name)) {
                throw wrong(pair.getKeyNode(),
                        "there is no argument \"" + name + "\"; there are " + String.join(", ", Arguments.NAMES));
            }
            arguments = arguments.with(name, text(pair.getValueNode()));
        }
        try {
            List<Workload> all = new ArrayList<>();
            for (Arguments one : Sweep.of(arguments)) {
                all.add(one.workload());
            }
            return all;
        } catch (IllegalArgumentException e) {
            throw new Failure(place(node) + e.getMessage(), e);
        }
    }

    private String text(Node node) {
        if (!(node instanceof SequenceNode list)) {
            return scalar(node);
        }
        List<String> values = new ArrayList<>();
        for (Node value : list.getValue()) {
            values.add(scalar(value));
        }
        return String.join(",", values);
    }

    private String scalar(Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(node, "a single value is expected");
    }

    private Failure wrong(Node node, String message) {
        return new Failure(place(node) + message);
    }

    private String place(Node node) {
        return file + ":" + node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1) + ": ";
    }
}
