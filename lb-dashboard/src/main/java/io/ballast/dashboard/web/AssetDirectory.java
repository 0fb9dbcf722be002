package io.ballast.dashboard.web;

import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.Handler;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Serves the files of one directory of the class path. A file is read and compressed at its first request. Confined
 * to the dashboard's event loop.
 */
final class AssetDirectory implements Handler {

    /**
     * The allowed file names, optionally below a subdirectory. No part of a name begins with a dot, so a name cannot
     * leave the directory.
     */
    private static final Pattern NAME =
            Pattern.compile("(?:[a-z0-9_-]+/)?[A-Za-z0-9_-]+(?:\\.[a-z0-9_-]+)*\\.([a-z0-9]+)");

    /** The content types by extension. Files of other types, such as classes, are not served. */
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "map", "application/json",
            "md", "text/plain; charset=utf-8",
            "svg", "image/svg+xml");

    private final String directory;
    private final String cacheControl;
    private final Map<String, Asset> assets = new HashMap<>();

    /**
     * @param directory the resource name, absolute or relative to this class, with a slash at the end
     * @param cacheControl the header of all responses
     */
    AssetDirectory(String directory, String cacheControl) {
        this.directory = directory;
        this.cacheControl = cacheControl;
    }

    /** Serves the file that the path parameter {@code file} names. */
    @Override
    public AdminResponse handle(Request request) {
        return asset(request.parameter("file")).handle(request);
    }

    /**
     * Returns a file of the directory or of an immediate subdirectory. Throws {@link HttpProblem} 404 if there is no
     * such file.
     */
    Asset asset(String file) {
        Asset known = assets.get(file);
        if (known != null) {
            return known;
        }
        var name = NAME.matcher(file);
        String type = name.matches() ? TYPES.get(name.group(1)) : null;
        if (type == null) {
            throw missing(file);
        }
        Asset asset = new Asset(type, cacheControl, read(file));
        assets.put(file, asset);
        return asset;
    }

    private byte[] read(String file) {
        try (InputStream in = AssetDirectory.class.getResourceAsStream(directory + file)) {
            if (in == null) {
                throw missing(file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HttpProblem missing(String file) {
        return HttpProblem.notFound("there is no file " + file);
    }
}
