package io.ballast.config.shared;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The files of one version of a cluster's configuration: the main file, and the files that it includes or references.
 * Immutable.
 *
 * <p>Bounds: {@value #MAX_FILES} files, {@value #MAX_BYTES} bytes of content, {@value #MAX_COMPRESSED_BYTES} bytes
 * compressed.
 *
 * @param main the path of the main file
 * @param files the content of each file by its path; relative, with slashes, without {@code ..}
 */
public record ConfigurationBundle(String main, SortedMap<String, byte[]> files) {

    public static final int MAX_FILES = 2_000;
    public static final int MAX_BYTES = 8 << 20;
    public static final int MAX_COMPRESSED_BYTES = 4 << 20;

    private static final int MAX_PATH_LENGTH = 512;
    private static final int MAX_NAME_BYTES = 255;
    private static final int MAGIC = 0x4C424331;
    /** The maximum size of the encoded form, which contains the content, and a path and two lengths for each file. */
    private static final int MAX_ENCODED_BYTES = MAX_BYTES + MAX_FILES * (4 * MAX_PATH_LENGTH + 8) + 1024;

    /** @throws IllegalArgumentException if a bound is exceeded, or a path is not permitted */
    public ConfigurationBundle {
        SortedMap<String, byte[]> copy = new TreeMap<>(files);
        if (copy.size() > MAX_FILES) {
            throw new IllegalArgumentException(
                    "the configuration has " + copy.size() + " files (expected: at most " + MAX_FILES + ")");
        }
        long bytes = copy.values().stream().mapToLong(content -> content.length).sum();
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("the files of the configuration have " + bytes
                    + " bytes (expected: at most " + MAX_BYTES + "; large files can stay on the nodes, see"
                    + " docs/cluster.md)");
        }
        copy.keySet().forEach(ConfigurationBundle::requirePath);
        if (!copy.containsKey(main)) {
            throw new IllegalArgumentException("the main file " + main + " is missing");
        }
        files = Collections.unmodifiableSortedMap(copy);
    }

    /** Returns a bundle with these files. */
    public static ConfigurationBundle of(String main, Map<String, byte[]> files) {
        return new ConfigurationBundle(main, new TreeMap<>(files));
    }

    /**
     * @throws IllegalArgumentException if a path is absolute, leads out of its directory, or contains unusual
     *     characters
     */
    private static void requirePath(String path) {
        boolean isPermitted = path.length() <= MAX_PATH_LENGTH
                && path.chars().noneMatch(c -> Character.isISOControl(c) || c == '\\')
                && Arrays.stream(path.split("/", -1)).allMatch(ConfigurationBundle::isName);
        if (!isPermitted) {
            throw new IllegalArgumentException("path: " + path.replaceAll("\\p{Cntrl}", "?")
                    + " (expected: a relative path without .. and control characters)");
        }
    }

    private static boolean isName(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES;
    }

    /** The sum of the sizes of the files. */
    public int bytes() {
        return files.values().stream().mapToInt(content -> content.length).sum();
    }

    /** The SHA-256 of the content. Cost: hashes all files. */
    public String sha256() {
        return sha256(encode());
    }

    /** The SHA-256 of some bytes, as hexadecimal digits. */
    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }

    /** Encodes the bundle; equal bundles have equal encodings. */
    private byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(MAGIC);
            writeText(out, main);
            out.writeInt(files.size());
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                writeText(out, file.getKey());
                out.writeInt(file.getValue().length);
                out.write(file.getValue());
            }
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Returns the compressed form.
     *
     * @throws IllegalArgumentException if it is larger than {@value #MAX_COMPRESSED_BYTES} bytes
     */
    public byte[] compress() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(encode());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        if (bytes.size() > MAX_COMPRESSED_BYTES) {
            throw new IllegalArgumentException("the files of the configuration have " + bytes.size()
                    + " bytes compressed (expected: at most " + MAX_COMPRESSED_BYTES + ")");
        }
        return bytes.toByteArray();
    }

    /**
     * Reads the compressed form. Time and memory are bounded for all inputs.
     *
     * @throws IllegalArgumentException if it is malformed, exceeds a bound, or contains a path that is not permitted
     */
    public static ConfigurationBundle decompress(byte[] compressed) {
        if (compressed.length > MAX_COMPRESSED_BYTES) {
            throw new IllegalArgumentException("a configuration of " + compressed.length
                    + " bytes compressed (expected: at most " + MAX_COMPRESSED_BYTES + ")");
        }
        byte[] bytes;
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            bytes = in.readNBytes(MAX_ENCODED_BYTES + 1);
        } catch (IOException e) {
            throw new IllegalArgumentException("the configuration is not compressed with gzip, or incomplete", e);
        }
        if (bytes.length > MAX_ENCODED_BYTES) {
            throw new IllegalArgumentException(
                    "the files of the configuration are too large (expected: at most " + MAX_BYTES + " bytes)");
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return decode(in);
        } catch (IOException e) {
            throw new IllegalArgumentException("the configuration is malformed", e);
        }
    }

    private static ConfigurationBundle decode(DataInputStream in) throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("unknown format");
        }
        String main = readText(in);
        int count = in.readInt();
        if (count < 1 || count > MAX_FILES) {
            throw new IOException(count + " files");
        }
        SortedMap<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            if (files.put(readText(in), readBytes(in, MAX_BYTES)) != null) {
                throw new IOException("a path occurs twice");
            }
        }
        if (in.read() >= 0) {
            throw new IOException("bytes after the last file");
        }
        return new ConfigurationBundle(main, files);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(readBytes(in, 4 * MAX_PATH_LENGTH), StandardCharsets.UTF_8);
    }

    private static byte[] readBytes(DataInputStream in, int max) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > max || length > in.available()) {
            throw new IOException(length + " bytes");
        }
        return in.readNBytes(length);
    }
}
