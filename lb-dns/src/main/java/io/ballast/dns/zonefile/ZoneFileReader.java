package io.ballast.dns.zonefile;

import io.ballast.core.ErrorText;
import io.ballast.core.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/**
 * Reads a zone file and its includes (<a href="https://datatracker.ietf.org/doc/html/rfc1035#section-5">RFC
 * 1035 section 5</a>). Supports {@code $ORIGIN}, {@code $TTL} (<a
 * href="https://datatracker.ietf.org/doc/html/rfc2308#section-4">RFC 2308 section 4</a>), {@code $INCLUDE},
 * {@code $GENERATE}, and unknown types in the notation of RFC 3597.
 *
 * <p>Problems are added to {@link FileProblems}, and reading continues after them. Thread safety: confined to
 * one thread. Memory: one entry of each open file; the sink owns the records.
 */
public final class ZoneFileReader {

    /** Maximum number of records that all {@code $GENERATE} directives of a zone may create. */
    public static final long MAX_GENERATED = 1_000_000;

    /** Maximum depth of nested includes. */
    static final int MAX_INCLUDED = 32;

    private final Name apex;
    private final RecordSink sink;
    private final FileProblems problems;
    private final Consumer<Path> openListener;
    private final DataReader data = new DataReader();
    /** The files that are currently being read: the zone file and its nested includes. */
    private final Deque<Path> openFiles = new ArrayDeque<>();

    private long generatedRecords;

    private ZoneFileReader(Name apex, RecordSink sink, FileProblems problems, Consumer<Path> opening) {
        this.openListener = opening;
        this.apex = apex;
        this.sink = sink;
        this.problems = problems;
    }

    /**
     * Reads a file. If errors are found, the sink must discard the records that it has received.
     *
     * @param apex the zone's name, which is the initial origin
     */
    public static void read(Path file, Name apex, RecordSink sink, FileProblems problems) {
        read(file, apex, sink, problems, opened -> {});
    }

    /**
     * Like {@link #read(Path, Name, RecordSink, FileProblems)}, and reports the files that are opened.
     *
     * @param opening callback that receives each file, including included files, before it is opened
     */
    public static void read(Path file, Name apex, RecordSink sink, FileProblems problems, Consumer<Path> opening) {
        ZoneFileReader reader = new ZoneFileReader(apex, sink, problems, opening);
        String refusal = reader.readFile(file, null, apex, FileEntries.NO_TTL);
        if (refusal != null) {
            problems.error(ZoneFilePosition.startOf(file), refusal);
        }
    }

    /**
     * Reads an included file.
     *
     * @return the reason why the file cannot be included; null if the file was included
     */
    @Nullable String include(Path file, ZoneFilePosition at, Name origin, long ttl) {
        String refusal = readFile(file, at, origin, ttl);
        return refusal == null ? null : file + ": " + refusal;
    }

    private @Nullable String readFile(Path file, @Nullable ZoneFilePosition includedAt, Name origin, long ttl) {
        openListener.accept(file);
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            return "cannot be read (expected: a zone file)";
        }
        try {
            // Most files include no other files, so usually no file system access is needed.
            if (!openFiles.isEmpty()) {
                List<Path> real = realPaths();
                if (real.contains(file.toRealPath())) {
                    return "includes itself"
                            + (real.size() == 1 ? "" : " through " + includeChain(real, file.toRealPath()));
                }
            }
            if (openFiles.size() > MAX_INCLUDED) {
                return "too many nested includes (expected: at most " + MAX_INCLUDED + " nested files)";
            }
            openFiles.push(file);
            try (InputStream in = RegularFile.open(file)) {
                new FileEntries(this, file, includedAt, origin, ttl).read(in);
            } finally {
                openFiles.pop();
            }
            return null;
        } catch (IOException e) {
            return "cannot be read: " + ErrorText.of(e);
        }
    }

    private List<Path> realPaths() throws IOException {
        List<Path> real = new ArrayList<>();
        for (Path each : openFiles) {
            real.add(each.toRealPath());
        }
        return real;
    }

    /** Returns the chain of files through which a file includes itself. */
    private static String includeChain(List<Path> real, Path from) {
        return real.stream()
                .takeWhile(file -> !file.equals(from))
                .map(file -> String.valueOf(file.getFileName()))
                .collect(Collectors.joining(" and "));
    }

    void passRecord(Record found, ZoneFilePosition place) {
        sink.accept(found, place);
    }

    /** Reserves {@code count} generated records; returns false if {@link #MAX_GENERATED} would be exceeded. */
    boolean reserveGenerated(long count) {
        if (generatedRecords + count > MAX_GENERATED) {
            return false;
        }
        generatedRecords += count;
        return true;
    }

    Name apex() {
        return apex;
    }

    FileProblems problems() {
        return problems;
    }

    DataReader data() {
        return data;
    }
}
