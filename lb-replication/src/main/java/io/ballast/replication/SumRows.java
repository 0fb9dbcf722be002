package io.ballast.replication;

import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.dashboard.source.BackendSum;
import io.ballast.dashboard.source.NodeSum;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The counters of a node as observations with the topics {@code sums/0}, {@code sums/1} and so on. Each row has a
 * version in one byte, the number of DNS queries in 8 bytes (0 in all rows but one), and backends: pool and address in
 * UTF-8, and four counters of 8 bytes. Stateless.
 */
final class SumRows {

    static final String PREFIX = "sums/";

    /** The maximum number of backends of one node that are counted individually. */
    static final int MAX_BACKENDS = 1_000;

    private static final int VERSION = 1;
    private static final int MAX_ROW_BYTES = ObservationBoard.MAX_CONTENT_BYTES - (4 << 10);

    private SumRows() {}

    static List<byte[]> encode(NodeSum sum) {
        List<byte[]> rows = new ArrayList<>();
        List<BackendSum> backends = sum.backends();
        int next = 0;
        try {
            do {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                DataOutputStream out = new DataOutputStream(bytes);
                out.writeByte(VERSION);
                out.writeLong(rows.isEmpty() ? sum.dnsQueries() : 0);
                for (; next < backends.size() && bytes.size() < MAX_ROW_BYTES; next++) {
                    write(out, backends.get(next));
                }
                rows.add(bytes.toByteArray());
            } while (next < backends.size());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return rows;
    }

    private static void write(DataOutputStream out, BackendSum backend) throws IOException {
        out.writeUTF(backend.pool());
        out.writeUTF(backend.address());
        out.writeLong(backend.requests());
        out.writeLong(backend.errors());
        out.writeLong(backend.responses());
        out.writeLong(backend.responseNanos());
    }

    /** Reads the rows of a node; ignores rows that another version wrote, and the rest of a malformed row. */
    static NodeSum decode(Collection<byte[]> rows) {
        List<BackendSum> backends = new ArrayList<>();
        long queries = 0;
        for (byte[] row : rows) {
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(row))) {
                if (in.readUnsignedByte() != VERSION) {
                    continue;
                }
                queries += in.readLong();
                while (in.available() > 0) {
                    backends.add(new BackendSum(
                            in.readUTF(), in.readUTF(), in.readLong(), in.readLong(), in.readLong(), in.readLong()));
                }
            } catch (IOException e) {
                // The row ends within a backend.
            }
        }
        return new NodeSum(backends, queries);
    }
}
