package io.ballast.dns.zonefile;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/** The SOA record in the first line of a file that {@link ZoneFileWriter} has written. */
public final class FirstRecord {

    private FirstRecord() {}

    /**
     * Reads the SOA record.
     *
     * @return the SOA record; empty if there is no such file
     * @throws IOException if the file cannot be read, or does not begin with the SOA record of the zone
     */
    public static Optional<SOARecord> soa(Path file, Name apex) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
            String line = lines.readLine();
            String[] words = line == null ? new String[0] : line.split("\t", 5);
            if (words.length != 5
                    || !words[3].equals("SOA")
                    || !Name.fromString(words[0]).equals(apex)) {
                throw new IOException("the file does not begin with the zone's SOA record");
            }
            Record soa = Record.fromString(apex, Type.SOA, DClass.IN, Long.parseLong(words[1]), words[4], Name.root);
            return Optional.of((SOARecord) soa);
        } catch (NumberFormatException e) {
            throw new IOException("the first line is not a record", e);
        }
    }
}
