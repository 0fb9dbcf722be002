package io.ballast.dns.zonefile;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Writes records to a new zone file that only its owner can access: one record per line, the SOA record first. Common
 * types are written in readable notation, and all other types in the notation of RFC 3597. Reading the file returns the
 * same records. Confined to one thread.
 */
public final class ZoneFileWriter implements AutoCloseable {

    private static final Set<Integer> TEXT_TYPES = Set.of(
            Type.A,
            Type.AAAA,
            Type.NS,
            Type.SOA,
            Type.CNAME,
            Type.DNAME,
            Type.PTR,
            Type.MX,
            Type.SRV,
            Type.TXT,
            Type.DS);

    /** Bytes between a record's name and its data: type, class, TTL and length. */
    private static final int FIXED_BYTES = 10;

    private final FileChannel channel;
    private final OutputStream out;
    private long bytes;

    private ZoneFileWriter(FileChannel channel) {
        this.channel = channel;
        this.out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
    }

    /** Starts writing a file that will replace the existing one. */
    public static ZoneFileWriter open(Path file) throws IOException {
        Files.deleteIfExists(file);
        return new ZoneFileWriter(FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
    }

    public void write(Record record) throws IOException {
        byte[] line = line(record).getBytes(StandardCharsets.US_ASCII);
        out.write(line);
        bytes += line.length;
    }

    /** Returns the number of written bytes. */
    public long bytes() {
        return bytes;
    }

    private static String line(Record record) {
        String head = record.getName() + "\t" + record.getTTL() + "\tIN\t";
        int type = record.getType();
        if (TEXT_TYPES.contains(type)) {
            return head + Type.string(type) + "\t" + record.rdataToString() + "\n";
        }
        byte[] wire = record.toWire(Section.ANSWER);
        byte[] data = Arrays.copyOfRange(wire, record.getName().length() + FIXED_BYTES, wire.length);
        return head + "TYPE" + type + "\t\\# " + data.length + " "
                + HexFormat.of().formatHex(data) + "\n";
    }

    /** Syncs the whole file to disk. */
    public void finish() throws IOException {
        out.flush();
        channel.force(/* metaData= */ true);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
