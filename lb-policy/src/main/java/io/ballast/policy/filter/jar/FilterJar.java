package io.ballast.policy.filter.jar;

import io.ballast.core.ErrorText;
import io.ballast.core.RegularFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a jar when it was read. The file may be replaced or deleted while its classes are in use. Two jars are
 * equal if they were read from the same path and have the same contents. Immutable.
 */
public final class FilterJar {

    /** The maximum size of the file in bytes. */
    public static final int MAX_BYTES = 64 << 20;

    private static final int MAX_UNPACKED_BYTES = 128 << 20;
    private static final int MAX_ENTRIES = 65_535;
    private static final int MIN_VERSION = 9;
    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    private static final Pattern VERSIONED = Pattern.compile("META-INF/versions/([0-9]{1,4})/(.+)");

    private final Path path;
    private final String digest;
    private final Map<String, byte[]> entries;

    private FilterJar(Path path, String digest, Map<String, byte[]> entries) {
        this.path = path;
        this.digest = digest;
        this.entries = entries;
    }

    /**
     * Reads a jar. Blocks.
     *
     * @throws IllegalArgumentException if it cannot be read, is not a jar, or is too large
     */
    public static FilterJar read(Path path) {
        try (InputStream in = RegularFile.open(path)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IllegalArgumentException(path + " is larger than " + (MAX_BYTES >> 20) + " MiB");
            }
            Map<String, byte[]> entries = unpack(path, bytes);
            return new FilterJar(path, sha256(bytes), isMultiRelease(entries) ? ofThisRelease(entries) : entries);
        } catch (ZipException e) {
            throw new IllegalArgumentException(path + " is not a jar: " + ErrorText.of(e), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " cannot be read: " + ErrorText.reason(e), e);
        }
    }

    /** Returns a placeholder for a jar that cannot be read, so that the rest of a configuration is still checked. */
    public static FilterJar unreadable(Path path) {
        return new FilterJar(path, "", Map.of());
    }

    /** Whether the jar could be read; false for a placeholder. */
    public boolean isReadable() {
        return !digest.isEmpty();
    }

    private static Map<String, byte[]> unpack(Path path, byte[] bytes) throws IOException {
        Map<String, byte[]> entries = new HashMap<>();
        long left = MAX_UNPACKED_BYTES;
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                byte[] content = zip.readNBytes((int) left + 1);
                left -= content.length;
                if (left < 0 || entries.size() == MAX_ENTRIES) {
                    throw new IllegalArgumentException(path + " contains more than " + (MAX_UNPACKED_BYTES >> 20)
                            + " MiB or " + MAX_ENTRIES + " files");
                }
                if (!entry.isDirectory()) {
                    entries.putIfAbsent(entry.getName(), content);
                }
            }
        }
        if (entries.isEmpty()) {
            throw new ZipException("no entries");
        }
        return entries;
    }

    private static boolean isMultiRelease(Map<String, byte[]> entries) throws IOException {
        byte[] text = entries.get(MANIFEST);
        if (text == null) {
            return false;
        }
        Attributes main = new Manifest(new ByteArrayInputStream(text)).getMainAttributes();
        return "true"
                .equals(String.valueOf(main.getValue(Attributes.Name.MULTI_RELEASE))
                        .toLowerCase(Locale.ROOT));
    }

    /** Replaces entries by the entries for this release of Java; see {@link java.util.jar.JarFile}. */
    private static Map<String, byte[]> ofThisRelease(Map<String, byte[]> entries) {
        Map<String, byte[]> chosen = new HashMap<>(entries);
        Map<String, Integer> versions = new HashMap<>();
        entries.forEach((name, content) -> {
            Matcher matcher = VERSIONED.matcher(name);
            if (matcher.matches()) {
                int version = Integer.parseInt(matcher.group(1));
                String base = matcher.group(2);
                boolean isUsable = version >= MIN_VERSION
                        && version <= Runtime.version().feature()
                        && version > versions.getOrDefault(base, 0);
                if (isUsable) {
                    versions.put(base, version);
                    chosen.put(base, content);
                }
            }
        });
        return chosen;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // impossible, because every JDK has SHA-256
        }
    }

    /** The path of the file. */
    public Path path() {
        return path;
    }

    /** Returns the content of an entry, which must not be modified; null if there is none. */
    byte @Nullable [] entry(String name) {
        return entries.get(name);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FilterJar jar && path.equals(jar.path) && digest.equals(jar.digest);
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
