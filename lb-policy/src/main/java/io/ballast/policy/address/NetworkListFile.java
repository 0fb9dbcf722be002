package io.ballast.policy.address;

import io.ballast.core.ErrorText;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.policy.config.AddressListConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a file with one network or address per line, IPv4 and IPv6 mixed. Text after {@code #} or {@code ;} and empty
 * lines are skipped. A file without networks must contain a comment, so that a truncated file is not mistaken for an
 * empty list.
 */
public final class NetworkListFile {

    /** The maximum size of a file, in bytes. */
    static final int MAX_BYTES = 64 << 20;

    private static final int MAX_LINE = 128;
    private static final int MAX_PROBLEMS = 10;

    private final Path file;
    private final byte[] bytes;
    private final List<Cidr> networks = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private boolean hasComment;

    private NetworkListFile(Path file, byte[] bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /**
     * Reads a file. Cost: about a microsecond for each network; for a million networks, 100 MB are in use until the
     * method returns.
     *
     * @throws NetworkListException if the file cannot be read, is too large, or has an invalid line
     */
    public static CidrSet read(Path file) throws NetworkListException {
        NetworkListFile list = new NetworkListFile(file, bytes(file));
        list.readLines();
        if (list.networks.isEmpty() && list.problems.isEmpty() && !list.hasComment) {
            list.problems.add(file + " is empty (expected: a network, or a comment if no network is intended)");
        }
        if (!list.problems.isEmpty()) {
            throw new NetworkListException(list.problems);
        }
        return CidrSet.of(list.networks);
    }

    private static byte[] bytes(Path file) throws NetworkListException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new NetworkListException(List.of(file + " is not a file"));
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new NetworkListException(List.of(file + " is larger than 64 MiB"));
            }
            return bytes;
        } catch (NetworkListException e) {
            throw e;
        } catch (IOException e) {
            throw new NetworkListException(List.of(file + " cannot be read: " + ErrorText.reason(e)));
        }
    }

    private void readLines() {
        int line = 1;
        for (int start = 0; start < bytes.length && problems.size() < MAX_PROBLEMS; line++) {
            int end = start;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            try {
                readLine(start, end);
            } catch (IllegalArgumentException e) {
                problems.add(file + ":" + line + ": " + ErrorText.of(e));
            }
            start = end + 1;
        }
    }

    private void readLine(int start, int end) {
        int from = start;
        int to = start;
        while (to < end && bytes[to] != '#' && bytes[to] != ';') {
            to++;
        }
        hasComment |= to < end;
        while (from < to && isSpace(bytes[from])) {
            from++;
        }
        while (from < to && isSpace(bytes[to - 1])) {
            to--;
        }
        if (from == to) {
            return;
        }
        if (to - from > MAX_LINE) {
            throw new IllegalArgumentException("line of more than " + MAX_LINE + " bytes (expected: one network)");
        }
        if (networks.size() == AddressListConfig.MAX_NETWORKS) {
            throw new IllegalArgumentException(
                    "too many networks (expected: at most " + AddressListConfig.MAX_NETWORKS + ")");
        }
        networks.add(Cidr.parse(text(from, to)));
    }

    /** Returns the bytes as text, in which each byte that is not printable ASCII is replaced by a question mark. */
    private String text(int from, int to) {
        byte[] printable = new byte[to - from];
        for (int i = 0; i < printable.length; i++) {
            byte each = bytes[from + i];
            printable[i] = each < ' ' || each > '~' ? (byte) '?' : each;
        }
        return new String(printable, StandardCharsets.ISO_8859_1);
    }

    private static boolean isSpace(byte each) {
        return each == ' ' || each == '\t' || each == '\r';
    }
}
