package io.ballast.server.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The build of this program: the version, and the commit it was built from ({@code unknown} without git). */
public record BuildInfo(String version, String commit, String commitTime) {

    private static final String RESOURCE = "build.properties";

    /** Returns the build information that is stored next to this class. */
    public static BuildInfo load() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE, e);
        }
        return new BuildInfo(
                properties.getProperty("version", "unknown"),
                properties.getProperty("commit", "unknown"),
                properties.getProperty("commit-time", "unknown"));
    }

    /** Returns one line, for example {@code ballast 1.2.3 (commit 0123456789ab, 2026-11-01T12:00:00Z)}. */
    @Override
    public String toString() {
        return "ballast " + version + " (commit " + commit + ", " + commitTime + ")";
    }
}
