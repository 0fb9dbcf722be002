package io.ballast.cluster.fact;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A command of the log: sets or removes a fact if the fact still has the expected version.
 *
 * @param value null to remove the fact
 * @param expected the version on which the change is based; {@link Fact#ABSENT} if there was no fact
 */
record FactCommand(String key, @Nullable String value, long expected) {

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeLong(expected);
            FactTexts.write(out, key);
            FactTexts.writeNullable(out, value);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /** @throws IOException if the bytes are not a command */
    static FactCommand decode(byte[] command) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(command));
        long expected = in.readLong();
        String key = FactTexts.read(in);
        String value = FactTexts.readNullable(in);
        if (key.length() > Fact.MAX_KEY_LENGTH || in.read() >= 0) {
            throw new IOException("malformed command");
        }
        return new FactCommand(key, value, expected);
    }
}
