package io.ballast.policy.filter.jar;

import io.ballast.filter.Filter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes and resources of a jar. The classes can use only the JDK, the package {@code io.ballast.filter} and
 * the jar. The class loader keeps no file open, and no registry refers to it. So it is freed with the last object of
 * its classes.
 */
final class FilterClassLoader extends ClassLoader {

    static {
        registerAsParallelCapable();
    }

    private final FilterJar jar;

    FilterClassLoader(FilterJar jar) {
        super("filter " + jar.path(), new ApiClassLoader());
        this.jar = jar;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = jar.entry(name.replace('.', '/') + ".class");
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, ByteBuffer.wrap(bytes), /* protectionDomain= */ null);
    }

    @Override
    protected @Nullable URL findResource(String name) {
        return jar.entry(name) == null ? null : url(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL found = findResource(name);
        return Collections.enumeration(found == null ? List.of() : List.of(found));
    }

    private URL url(String name) {
        try {
            return new URL("filter", /* host= */ "", /* port= */ -1, "/" + name, new EntryHandler(jar));
        } catch (IOException e) {
            throw new IllegalStateException(e); // cannot happen: the URL has its stream handler
        }
    }

    /** The JDK, and the interfaces that a filter implements. */
    private static final class ApiClassLoader extends ClassLoader {

        private static final String API = Filter.class.getPackageName() + ".";

        static {
            registerAsParallelCapable();
        }

        ApiClassLoader() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            ClassLoader own = Filter.class.getClassLoader();
            if (!name.startsWith(API) || name.indexOf('.', API.length()) >= 0 || own == null) {
                throw new ClassNotFoundException(name);
            }
            return own.loadClass(name);
        }
    }

    /** Opens entries of the jar. */
    private static final class EntryHandler extends URLStreamHandler {

        private final FilterJar jar;

        EntryHandler(FilterJar jar) {
            this.jar = jar;
        }

        @Override
        protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {
                @Override
                public void connect() {}

                @Override
                public InputStream getInputStream() throws IOException {
                    byte[] content = jar.entry(getURL().getPath().substring(1));
                    if (content == null) {
                        throw new IOException("no entry " + getURL().getPath());
                    }
                    return new ByteArrayInputStream(content);
                }
            };
        }
    }
}
