package io.ballast.core.testing;

import io.ballast.core.net.Cidr;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates a MaxMind DB according to the "MaxMind DB File Format Specification" 2.0. Confined to one thread.
 *
 * <pre>
 *     MmdbFile.city().put("192.0.2.0/24", MmdbRecords.country("DE", "EU")).write(path);
 * </pre>
 */
public final class MmdbFile {

    private static final byte[] MARKER = {
        (byte) 0xAB, (byte) 0xCD, (byte) 0xEF, 'M', 'a', 'x', 'M', 'i', 'n', 'd', '.', 'c', 'o', 'm'
    };
    private static final byte[] IPV4_IN_IPV6 = new byte[16];
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0};
    private static final byte[] SIX_TO_FOUR = {0x20, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    private static final Instant BUILT = Instant.parse("2026-01-01T00:00:00Z");

    private final String type;
    private final int ipVersion;
    private final int recordBits;
    private final MmdbTree tree = new MmdbTree();
    private final MmdbData data = new MmdbData();

    /**
     * Creates an empty database.
     *
     * @param type the database type in the metadata, such as {@code GeoLite2-City}
     * @param ipVersion 4, or 6 for both families
     * @param recordBits 24, 28 or 32
     */
    public MmdbFile(String type, int ipVersion, int recordBits) {
        this.type = type;
        this.ipVersion = ipVersion;
        this.recordBits = recordBits;
    }

    /** Returns an empty database for both address families, like typical city databases. */
    public static MmdbFile city() {
        return new MmdbFile("Test-City", 6, 28);
    }

    /** Returns an empty database for both address families, like typical databases of autonomous systems. */
    public static MmdbFile asn() {
        return new MmdbFile("Test-ASN", 6, 24);
    }

    /**
     * Assigns a record of maps, lists, texts, numbers and booleans to a network. A network inside it may have
     * another record.
     */
    public MmdbFile put(String cidr, Map<String, ?> fields) {
        return put(Cidr.parse(cidr), fields);
    }

    /** Like {@link #put(String, Map)}, for a parsed network. */
    public MmdbFile put(Cidr cidr, Map<String, ?> fields) {
        int place = data.record(fields);
        byte[] bytes = cidr.network().bytes();
        if (bytes.length == 4 && ipVersion == 6) { // IPv4 networks are stored below ::/96
            byte[] wide = new byte[16];
            System.arraycopy(bytes, 0, wide, 12, 4);
            tree.put(wide, 96 + cidr.length(), place);
        } else {
            tree.put(bytes, cidr.length(), place);
        }
        return this;
    }

    /** Maps IPv4-mapped and 6to4 addresses to the IPv4 networks added so far, as in the databases of MaxMind. */
    public MmdbFile aliases() {
        tree.alias(MAPPED, 96, IPV4_IN_IPV6, 96);
        tree.alias(SIX_TO_FOUR, 16, IPV4_IN_IPV6, 96);
        return this;
    }

    /** The file as bytes. */
    public byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(tree.bytes(recordBits));
        out.writeBytes(new byte[16]);
        out.writeBytes(data.bytes());
        out.writeBytes(MARKER);
        out.writeBytes(metadata());
        return out.toByteArray();
    }

    /** Writes the file and returns its path. */
    public Path write(Path file) throws IOException {
        return Files.write(file, bytes());
    }

    private byte[] metadata() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("binary_format_major_version", (short) 2);
        fields.put("binary_format_minor_version", (short) 0);
        fields.put("build_epoch", BUILT.getEpochSecond());
        fields.put("database_type", type);
        fields.put("description", Map.of("en", "made by a test"));
        fields.put("ip_version", (short) ipVersion);
        fields.put("languages", List.of("en"));
        fields.put("node_count", tree.size());
        fields.put("record_size", (short) recordBits);
        MmdbData section = new MmdbData();
        section.record(fields);
        return section.bytes();
    }
}
