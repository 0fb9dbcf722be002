package io.ballast.dns.zone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.xbill.DNS.Master;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TextParseException;

/**
 * Reads zone files (<a href="https://datatracker.ietf.org/doc/html/rfc1035#section-5">RFC 1035 section 5</a>) with
 * {@code $ORIGIN}, {@code $TTL}, {@code $INCLUDE} and {@code $GENERATE}; unknown types by RFC 3597.
 */
final class ZoneFile {

    private ZoneFile() {}

    /**
     * Returns the records of a file.
     *
     * @throws IOException if it cannot be read or a line is wrong; the message names the file and the line
     */
    static List<Record> read(Path file, Name apex) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new IOException(file + ": cannot be read (expected: a zone file)");
        }
        List<Record> records = new ArrayList<>();
        try (Master master = new Master(file.toString(), apex)) {
            for (Record next = master.nextRecord(); next != null; next = master.nextRecord()) {
                records.add(next);
            }
        } catch (TextParseException e) {
            throw new IOException(placed(file, String.valueOf(e.getMessage())), e);
        }
        return records;
    }

    /** Names the file as the user did; of an included file the library tells the name only. */
    private static String placed(Path file, String message) {
        String name = file.getFileName() + ":";
        return message.startsWith(name) ? file + message.substring(name.length() - 1) : file + ": " + message;
    }
}
