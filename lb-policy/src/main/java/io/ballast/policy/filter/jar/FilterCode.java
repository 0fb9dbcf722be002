package io.ballast.policy.filter.jar;

import io.ballast.core.ErrorText;
import io.ballast.filter.Filter;
import io.ballast.filter.FilterFactory;
import io.ballast.filter.FilterSettings;
import java.io.BufferedReader;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The loaded classes of a jar and the factory among them. Each object loads its own copy of the classes. Thread safety:
 * confined to one thread.
 */
public final class FilterCode {

    private static final String SERVICES = "META-INF/services/" + FilterFactory.class.getName();
    private static final int MIN_CLASS_BYTES = 8;
    private static final int MAJOR_VERSION_AT = 6;
    private static final int JAVA_TO_MAJOR = 44;

    private final FilterJar jar;
    private final FilterClassLoader loader;
    private final FilterFactory factory;

    private FilterCode(FilterJar jar, FilterClassLoader loader, FilterFactory factory) {
        this.jar = jar;
        this.loader = loader;
        this.factory = factory;
    }

    /**
     * Loads a jar and creates its factory.
     *
     * @param className the class of the factory; empty if the jar names it
     * @throws IllegalArgumentException if there is no usable factory
     */
    public static FilterCode load(FilterJar jar, Optional<String> className) {
        String name = className.orElseGet(() -> factoryOf(jar));
        FilterClassLoader loader = new FilterClassLoader(jar);
        try {
            return new FilterCode(jar, loader, inContext(loader, () -> create(jar, loader, name)));
        } catch (InvocationTargetException e) {
            throw problem(jar, "the constructor of " + name + " has failed: " + text(e.getCause()), e);
        } catch (Exception | LinkageError e) {
            throw e instanceof IllegalArgumentException known ? known : linkProblem(jar, name, e);
        }
    }

    /** Returns the class that the jar names as its factory. */
    private static String factoryOf(FilterJar jar) {
        byte[] text = jar.entry(SERVICES);
        List<String> names = text == null ? List.of() : lines(new String(text, StandardCharsets.UTF_8));
        if (names.size() != 1) {
            throw new IllegalArgumentException(jar.path() + " names " + names.size() + " factories in " + SERVICES
                    + " (expected: one, or the key class)");
        }
        return names.get(0);
    }

    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        new BufferedReader(new StringReader(text))
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .forEach(lines::add);
        return lines;
    }

    private static FilterFactory create(FilterJar jar, FilterClassLoader loader, String name) throws Exception {
        checkVersion(jar, name);
        Class<?> type;
        try {
            type = Class.forName(name, /* initialize= */ true, loader);
        } catch (ClassNotFoundException e) {
            throw problem(jar, "no class " + name, e);
        }
        if (!FilterFactory.class.isAssignableFrom(type)) {
            throw problem(jar, "class " + name + " does not implement " + FilterFactory.class.getName(), null);
        }
        boolean isUsable = Modifier.isPublic(type.getModifiers()) && !Modifier.isAbstract(type.getModifiers());
        if (!isUsable || type.getConstructors().length == 0) {
            throw problem(jar, "class " + name + " is not public, is abstract or has no public constructor", null);
        }
        try {
            return (FilterFactory) type.getConstructor().newInstance();
        } catch (NoSuchMethodException e) {
            throw problem(jar, "class " + name + " has no public constructor without parameters", e);
        }
    }

    /**
     * Rejects a class that was compiled for a newer Java. The error of the JDK would name class file versions, not Java
     * versions.
     */
    private static void checkVersion(FilterJar jar, String name) {
        byte[] bytes = jar.entry(name.replace('.', '/') + ".class");
        if (bytes == null || bytes.length < MIN_CLASS_BYTES) {
            return; // the class loader reports the missing class
        }
        int java = ByteBuffer.wrap(bytes).getShort(MAJOR_VERSION_AT) - JAVA_TO_MAJOR;
        int own = Runtime.version().feature();
        if (java > own) {
            throw problem(jar, "class " + name + " needs Java " + java + " (expected: at most " + own + ")", null);
        }
    }

    private static IllegalArgumentException problem(FilterJar jar, String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(jar.path() + ": " + text, cause);
    }

    private static IllegalArgumentException linkProblem(FilterJar jar, String name, Throwable cause) {
        if (cause instanceof ExceptionInInitializerError) {
            return problem(jar, "class " + name + " cannot be initialized: " + text(cause.getCause()), cause);
        }
        if (cause instanceof NoClassDefFoundError missing) {
            String wanted = ErrorText.of(missing).replace('/', '.');
            return problem(jar, "class " + name + " needs the class " + wanted + ", which is not in the jar", cause);
        }
        return problem(jar, "class " + name + " cannot be loaded: " + text(cause), cause);
    }

    /** Describes a failure in the filter's code. */
    private static String text(@Nullable Throwable failure) {
        if (failure == null) {
            return "unknown";
        }
        return failure.getClass().getSimpleName() + ": " + ErrorText.of(failure);
    }

    /**
     * Lets the factory check settings.
     *
     * @throws IllegalArgumentException if the factory rejects the settings, or fails
     */
    public void check(FilterSettings settings) {
        try {
            boolean unused = inContext(loader, () -> {
                factory.check(settings);
                return true;
            });
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(ErrorText.of(e), e);
        } catch (Exception | LinkageError | StackOverflowError e) {
            throw problem(jar, "the check of the settings has failed: " + text(e), e);
        }
    }

    /**
     * Creates the filter.
     *
     * @throws IllegalArgumentException if the filter cannot be created
     */
    public Filter create(FilterSettings settings) {
        try {
            return inContext(loader, () -> factory.create(settings));
        } catch (Exception | LinkageError | StackOverflowError e) {
            throw problem(jar, "the filter cannot be created: " + text(e), e);
        }
    }

    /** The class loader, for threads that run the filter. */
    public ClassLoader loader() {
        return loader;
    }

    /** The class of the factory. */
    public String name() {
        return factory.getClass().getName();
    }

    /** A call of the filter's code. */
    @FunctionalInterface
    private interface ForeignCall<T> {
        T run() throws Exception;
    }

    /**
     * Runs the filter's code with its class loader as the context class loader, because libraries look up classes
     * there.
     */
    private static <T> T inContext(ClassLoader loader, ForeignCall<T> call) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return call.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
