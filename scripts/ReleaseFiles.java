import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes.Name;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Whether {@code mvn -Prelease package} made what a public repository asks for, module by module: the jar with its licence and version, the source of each
 * class, a page for each public class, and a bill of materials. Signatures are another profile's.
 *
 * <p>The arguments are the root of the build, and the modules. It ends with 1 and a line for each thing that is missing.
 */
void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    String bom = Files.readString(root.resolve("bom/pom.xml"));
    String version = bom.replaceFirst("(?s).*?<version>([^<]*)</version>.*", "$1");
    List<String> missing = new ArrayList<>();
    int files = 0;
    for (String module : List.of(args).subList(1, args.length)) {
        Path target = root.resolve(module, "target");
        String pom = Files.readString(root.resolve(module, "pom.xml"));
        String artifact = pom.replaceFirst("(?s).*</parent>.*?<artifactId>([^<]*)</artifactId>.*", "$1");
        Published one = new Published(root, target, artifact, version, pom, missing);
        files += one.check();
    }
    missing.forEach(line -> System.err.println("release: " + line));
    System.out.println("release: " + files + " files looked at, " + missing.size() + " faults");
    System.exit(missing.isEmpty() ? 0 : 1);
}

/** One module's files, and the list that takes its faults. */
record Published(Path root, Path target, String artifact, String version, String pom, List<String> missing) {
    private static final List<String> LICENCES = List.of("LICENSE", "NOTICE");

    int check() throws Exception {
        List<Path> files = new ArrayList<>();
        for (String kind : List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml")) {
            Path file = target.resolve(artifact + "-" + version + kind);
            if (Files.isRegularFile(file)) {
                files.add(file);
            } else {
                fault(file.getFileName() + " is not there");
            }
        }
        if (files.size() == 5) {
            try (JarFile jar = new JarFile(files.get(0).toFile());
                    JarFile sources = new JarFile(files.get(1).toFile());
                    JarFile javadoc = new JarFile(files.get(2).toFile())) {
                for (JarFile one : List.of(jar, sources, javadoc)) {
                    licences(one);
                }
                version(jar);
                sources(jar, sources);
                pages(jar, javadoc);
            }
            bill(Files.readString(files.get(3)), files.get(4));
        }
        return files.size();
    }

    private void fault(String what) {
        missing.add(artifact + ": " + what);
    }

    private void licences(JarFile jar) throws IOException {
        for (String name : LICENCES) {
            JarEntry entry = jar.getJarEntry("META-INF/" + name);
            if (entry == null) {
                fault(Path.of(jar.getName()).getFileName() + " has no META-INF/" + name);
            } else if (!text(jar, entry).equals(Files.readString(root.resolve(name)))) {
                fault(Path.of(jar.getName()).getFileName() + " has another " + name);
            }
        }
    }

    private void version(JarFile jar) throws IOException {
        var main = jar.getManifest().getMainAttributes();
        if (!version.equals(main.getValue(Name.IMPLEMENTATION_VERSION))) {
            fault("Implementation-Version is " + main.getValue(Name.IMPLEMENTATION_VERSION));
        }
        if (main.getValue(Name.IMPLEMENTATION_TITLE) == null) {
            fault("there is no Implementation-Title");
        }
    }

    /** Each class names the file that it was compiled from. */
    private void sources(JarFile jar, JarFile sources) throws IOException {
        Set<String> absent = new TreeSet<>();
        for (JarEntry entry : classes(jar)) {
            var model = ClassFile.of().parse(jar.getInputStream(entry).readAllBytes());
            String folder = entry.getName().substring(0, entry.getName().lastIndexOf('/') + 1);
            String file = model.findAttribute(Attributes.sourceFile())
                    .map(attribute -> attribute.sourceFile().stringValue()).orElse("source of " + entry.getName());
            if (sources.getJarEntry(folder + file) == null) {
                absent.add(folder + file);
            }
        }
        absent.forEach(file -> fault("the jar of sources lacks " + file));
    }

    /** A page for each public class of the packages that the Javadoc names; it names one at least if the module has public classes. */
    private void pages(JarFile jar, JarFile javadoc) throws IOException {
        JarEntry list = javadoc.getJarEntry("element-list");
        List<JarEntry> classes = classes(jar);
        if (list == null || javadoc.getJarEntry("index.html") == null) {
            fault("the jar of Javadoc has no index.html or no element-list");
            return;
        }
        List<String> packages = text(javadoc, list).lines().filter(line -> !line.startsWith("module:")).toList();
        if (packages.isEmpty() && classes.stream().anyMatch(entry -> !entry.getName().equals("module-info.class"))) {
            fault("the Javadoc has no package");
        }
        if (javadoc.getJarEntry("type-search-index.js") == null) {
            fault("the Javadoc cannot be searched");
        }
        // The pages of a named module are in a folder of its name.
        String top = text(javadoc, list).lines().filter(line -> line.startsWith("module:")).findFirst()
                .map(line -> line.substring("module:".length()) + "/").orElse("");
        for (JarEntry entry : classes) {
            String name = entry.getName().replaceFirst("\\.class$", "");
            if (name.indexOf('/') < 0 || !packages.contains(name.substring(0, name.lastIndexOf('/')).replace('/', '.'))) {
                continue;
            }
            var flags = ClassFile.of().parse(jar.getInputStream(entry).readAllBytes()).flags();
            if (flags.has(AccessFlag.PUBLIC) && !name.contains("$") && javadoc.getJarEntry(top + name + ".html") == null) {
                fault("the Javadoc lacks " + name);
            }
        }
    }

    /** The bill of materials is of this artifact, and lists what the module needs at run time, and nothing else. */
    private void bill(String json, Path xml) throws Exception {
        if (!json.contains("\"bomFormat\" : \"CycloneDX\"") || !json.contains("pkg:maven/dev.basalt/" + artifact + "@" + version)) {
            fault("the bill of materials in JSON is not that of " + artifact + " " + version);
        }
        Element bom = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml.toFile()).getDocumentElement();
        if (!bom.getTagName().equals("bom") || !bom.getAttribute("xmlns").startsWith("http://cyclonedx.org/schema/bom/")) {
            fault("the bill of materials in XML is not CycloneDX");
        }
        Element self = children(children(bom, "metadata").getFirst(), "component").getFirst();
        if (!child(self, "name").equals(artifact) || !child(self, "version").equals(version)) {
            fault("the bill of materials in XML is that of " + child(self, "name") + " " + child(self, "version"));
        }
        if (children(self, "licenses").isEmpty()) {
            fault("the bill of materials names no licence");
        }
        Set<String> components = new TreeSet<>();
        for (Element list : children(bom, "components")) {
            children(list, "component").forEach(component -> components.add(child(component, "name")));
        }
        String own = pom.contains("<dependencies>")
                ? pom.replaceFirst("(?s).*?\n  <dependencies>(.*?)\n  </dependencies>.*", "$1")
                : "";
        for (String dependency : own.split("</dependency>")) {
            String name = dependency.replaceFirst("(?s).*<artifactId>([^<]*)</artifactId>.*", "$1");
            boolean run = !dependency.contains("<scope>test</scope>") && !dependency.contains("<scope>provided</scope>");
            if (dependency.contains("<artifactId>") && run != components.contains(name)) {
                fault("the bill of materials " + (run ? "lacks " : "has, although it comes from elsewhere, ") + name);
            }
        }
    }

    private static String child(Element parent, String name) {
        return children(parent, name).isEmpty() ? "" : children(parent, name).getFirst().getTextContent().strip();
    }

    /** Those directly below: a tool that made the file is a component, too. */
    private static List<Element> children(Element parent, String name) {
        List<Element> children = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (name.equals(node.getNodeName())) {
                children.add((Element) node);
            }
        }
        return children;
    }

    private static List<JarEntry> classes(JarFile jar) {
        return jar.stream().filter(entry -> entry.getName().endsWith(".class")).toList();
    }

    private static String text(JarFile jar, JarEntry entry) throws IOException {
        return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
    }
}
