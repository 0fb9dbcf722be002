package io.ballast.cluster.fact;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads and writes strings in commands and files: a length of four bytes, followed by the text in UTF-8. */
final class FactTexts {

    private static final int NULL = -1;

    private FactTexts() {}

    static void write(DataOutput out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static void writeNullable(DataOutput out, @Nullable String text) throws IOException {
        if (text == null) {
            out.writeInt(NULL);
        } else {
            write(out, text);
        }
    }

    static String read(DataInput in) throws IOException {
        return read(in, in.readInt());
    }

    static @Nullable String readNullable(DataInput in) throws IOException {
        int length = in.readInt();
        return length == NULL ? null : read(in, length);
    }

    private static String read(DataInput in, int length) throws IOException {
        if (length < 0 || length > Fact.MAX_VALUE_BYTES) {
            throw new IOException("a text of " + length + " bytes (expected: at most " + Fact.MAX_VALUE_BYTES + ")");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
