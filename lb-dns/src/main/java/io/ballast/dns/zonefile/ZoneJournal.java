package io.ballast.dns.zonefile;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;

/**
 * A journal next to a zone file. It stores changes, so that a change does not require the whole zone to be
 * rewritten. The journal applies only to the version of the zone file that has the serial in the journal.
 *
 * <pre>
 *   file:     4  "LBJ1"   4  serial of the zone file   then the changes
 *   change:   4  length of its content   4  CRC-32C of its content   n  content
 *   content:  4  number of names   then the names
 *   name:     1  length of the name   n  the name in wire format   4  number of its current records
 *             then the records
 *   record:   4  length of the record   n  the record in wire format
 * </pre>
 *
 * <p>If the process ended while it wrote a change, this change and everything after it are ignored. Thread
 * safety: one thread at a time.
 */
public final class ZoneJournal {

    private static final int MAGIC = 0x4c424a31;
    private static final int HEAD_BYTES = 8;
    private static final int CHANGE_HEAD_BYTES = 8;

    private final Path file;

    /** @param file the journal file, which need not exist */
    public ZoneJournal(Path file) {
        this.file = file;
    }

    /** Returns the journal of a zone file: a file with the same name and another extension. */
    public static ZoneJournal ofZoneFile(Path zoneFile) {
        String name = String.valueOf(zoneFile.getFileName());
        int extension = name.lastIndexOf('.');
        return new ZoneJournal(
                zoneFile.resolveSibling((extension < 1 ? name : name.substring(0, extension)) + ".journal"));
    }

    public Path file() {
        return file;
    }

    /** The changes in a journal: all current records of each changed name, and the end of the valid part. */
    public record Changes(Map<Name, List<Record>> names, long end) {

        static final Changes NONE = new Changes(Map.of(), 0);
    }

    /**
     * Returns the current records of each changed name; the list is empty for a removed name.
     *
     * @param serial serial of the zone file; changes of another version are not returned
     * @throws IOException if the journal cannot be read
     */
    public Changes read(long serial) throws IOException {
        if (!Files.exists(file)) {
            return Changes.NONE;
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        if (bytes.remaining() < HEAD_BYTES || bytes.getInt() != MAGIC || bytes.getInt() != (int) serial) {
            return Changes.NONE;
        }
        Map<Name, List<Record>> names = new LinkedHashMap<>();
        int end = bytes.position();
        while (bytes.remaining() >= CHANGE_HEAD_BYTES) {
            int length = bytes.getInt();
            int sum = bytes.getInt();
            if (length < 0 || length > bytes.remaining() || sum != sum(bytes.slice(bytes.position(), length))) {
                break;
            }
            byte[] content = new byte[length];
            bytes.get(content);
            readChange(new DataInputStream(new ByteArrayInputStream(content)), names);
            end = bytes.position();
        }
        return new Changes(names, end);
    }

    /** Returns the changes since {@link ZoneFileWriter} wrote the file; empty if another program wrote it. */
    public Changes changes(Path zoneFile, Name apex) throws IOException {
        if (!isJournal()) {
            return Changes.NONE;
        }
        Optional<SOARecord> written = FirstRecord.soa(zoneFile, apex);
        return written.isPresent() ? read(written.get().getSerial()) : Changes.NONE;
    }

    /** Whether the file is a journal, and not an operator's file that happens to have the same name. */
    private boolean isJournal() throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] first = in.readNBytes(Integer.BYTES);
            return first.length == Integer.BYTES && ByteBuffer.wrap(first).getInt() == MAGIC;
        }
    }

    private static void readChange(DataInputStream in, Map<Name, List<Record>> names) throws IOException {
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            Name name = new Name(in.readNBytes(in.readUnsignedByte()));
            int records = in.readInt();
            List<Record> all = new ArrayList<>();
            for (int j = 0; j < records; j++) {
                all.add(Record.fromWire(in.readNBytes(in.readInt()), Section.ANSWER));
            }
            names.put(name, all);
        }
    }

    /**
     * Appends a change and syncs it to disk.
     *
     * @param serial the serial of the zone file
     * @param end the end of the valid part of the journal; 0 to start a new journal
     * @param names all current records of each changed name
     * @return the new end of the valid part
     */
    public long append(long serial, long end, Map<Name, List<Record>> names) throws IOException {
        byte[] content = content(names);
        long at = end == 0 ? HEAD_BYTES : end;
        try (FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            channel.truncate(end);
            if (end == 0) {
                write(
                        channel,
                        ByteBuffer.allocate(HEAD_BYTES)
                                .putInt(MAGIC)
                                .putInt((int) serial)
                                .flip(),
                        0);
            }
            ByteBuffer change = ByteBuffer.allocate(CHANGE_HEAD_BYTES + content.length);
            change.putInt(content.length)
                    .putInt(sum(ByteBuffer.wrap(content)))
                    .put(content)
                    .flip();
            write(channel, change, at);
            channel.force(/* metaData= */ true);
        }
        return at + CHANGE_HEAD_BYTES + content.length;
    }

    /** Removes the entries after {@code end}. */
    public void truncate(long end) throws IOException {
        if (end == 0) {
            Files.deleteIfExists(file);
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(end);
            channel.force(/* metaData= */ true);
        }
    }

    private static byte[] content(Map<Name, List<Record>> names) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(names.size());
        for (Map.Entry<Name, List<Record>> each : names.entrySet()) {
            byte[] name = each.getKey().toWire();
            out.writeByte(name.length);
            out.write(name);
            out.writeInt(each.getValue().size());
            for (Record record : each.getValue()) {
                byte[] wire = record.toWire(Section.ANSWER);
                out.writeInt(wire.length);
                out.write(wire);
            }
        }
        return bytes.toByteArray();
    }

    private static void write(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        long next = at;
        while (bytes.hasRemaining()) {
            next += channel.write(bytes, next);
        }
    }

    private static int sum(ByteBuffer content) {
        CRC32C sum = new CRC32C();
        sum.update(content);
        return (int) sum.getValue();
    }
}
