package dev.basalt.codegen;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.LocalVariableInfo;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The class files of netlib on a class path. Interfaces do not keep the names of parameters, so these come from the variables of the
 * abstract class that netlib's own implementations extend.
 */
final class NetlibClasses implements AutoCloseable {
    private final URLClassLoader loader;

    /**
     * Opens a class path.
     *
     * @param classPath jars and folders, separated as the system does
     */
    NetlibClasses(String classPath) {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(java.io.File.pathSeparator)) {
            urls.add(url(Path.of(entry)));
        }
        loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("not an entry of a class path: " + path, e);
        }
    }

    /**
     * The abstract methods of one of netlib's interfaces, in its order.
     *
     * @param room the package behind dev.ludovic.netlib, such as blas
     */
    List<NetlibMethod> methods(String room) {
        String prefix = "dev/ludovic/netlib/" + room + "/";
        String name = room.toUpperCase(java.util.Locale.ROOT);
        Map<String, List<String>> names = new HashMap<>();
        for (MethodModel method : read(prefix + "Abstract" + name).methods()) {
            names.put(key(method), parameterNames(method));
        }
        List<NetlibMethod> methods = new ArrayList<>();
        for (MethodModel method : read(prefix + name).methods()) {
            if (method.flags().has(AccessFlag.ABSTRACT)) {
                methods.add(method(method, names.get(key(method))));
            }
        }
        return methods;
    }

    /**
     * Whether a class has a static method.
     *
     * @param className its name, with slashes
     * @param method the method that is looked for, by name and types
     */
    boolean hasStatic(String className, NetlibMethod method) {
        for (MethodModel candidate : read(className).methods()) {
            if (candidate.flags().has(AccessFlag.STATIC)) {
                MethodTypeDesc type = candidate.methodTypeSymbol();
                List<String> types = type.parameterList().stream().map(NetlibClasses::java).toList();
                if (method.signature().equals(candidate.methodName().stringValue() + types)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * The public static methods of a class of Basalt's, those with offsets, by name. Such a class keeps the names of parameters.
     *
     * @param className its name, with slashes
     * @return none if there is no such class
     */
    Map<String, List<NetlibMethod>> statics(String className) {
        Map<String, List<NetlibMethod>> methods = new HashMap<>();
        if (loader.getResource(className + ".class") == null) {
            return methods;
        }
        for (MethodModel model : read(className).methods()) {
            if (model.flags().has(AccessFlag.STATIC) && model.flags().has(AccessFlag.PUBLIC)) {
                List<String> names = model.findAttribute(Attributes.methodParameters())
                        .map(parameters -> parameters.parameters()
                                .stream()
                                .map(p -> p.name().map(Utf8Entry::stringValue).orElse(""))
                                .toList())
                        .orElse(List.of());
                NetlibMethod method = method(model, names);
                if (method.hasOffsets()) {
                    methods.computeIfAbsent(method.name(), name -> new ArrayList<>()).add(method);
                }
            }
        }
        return methods;
    }

    /**
     * A class file.
     *
     * @param name the class's name, with slashes
     */
    ClassModel read(String name) {
        try (InputStream in = loader.getResourceAsStream(name + ".class")) {
            if (in == null) {
                throw new IllegalArgumentException("the class path has no " + name);
            }
            return ClassFile.of().parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }

    private static String key(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    private static NetlibMethod method(MethodModel method, List<String> names) {
        MethodTypeDesc type = method.methodTypeSymbol();
        List<NetlibMethod.Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < type.parameterCount(); i++) {
            parameters.add(new NetlibMethod.Parameter(java(type.parameterType(i)), names.get(i)));
        }
        return new NetlibMethod(method.methodName().stringValue(), java(type.returnType()), parameters);
    }

    private static List<String> parameterNames(MethodModel method) {
        Map<Integer, String> bySlot = new HashMap<>();
        method.findAttribute(Attributes.code())
                .flatMap(code -> code.findAttribute(Attributes.localVariableTable()))
                .ifPresent(table -> {
                    for (LocalVariableInfo variable : table.localVariables()) {
                        bySlot.putIfAbsent(variable.slot(), variable.name().stringValue());
                    }
                });
        List<String> names = new ArrayList<>();
        int slot = 1;
        for (ClassDesc type : method.methodTypeSymbol().parameterList()) {
            names.add(bySlot.getOrDefault(slot, "p" + slot));
            slot += type.descriptorString().matches("[DJ]") ? 2 : 1;
        }
        return names;
    }

    /** A type as Java says it. */
    private static String java(ClassDesc type) {
        return type.isArray() ? java(type.componentType()) + "[]" : type.displayName();
    }
}
