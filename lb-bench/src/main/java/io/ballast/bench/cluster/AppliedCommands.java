package io.ballast.bench.cluster;

import io.ballast.cluster.log.FactMachine;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** All commands in the order in which they were applied, with the time. Thread-safe. */
final class AppliedCommands implements FactMachine {

    private final List<String> commands = new ArrayList<>();
    private final List<Long> micros = new ArrayList<>();
    private long last;

    /** The time in microseconds since 1970, which all processes of a machine share. */
    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Override
    public synchronized byte[] apply(long position, byte[] command) {
        if (position <= last) {
            throw new IllegalStateException("position " + position + " after position " + last);
        }
        last = position;
        commands.add(new String(command, StandardCharsets.UTF_8));
        micros.add(now());
        return new byte[0];
    }

    @Override
    public synchronized void save(DataOutput out) throws IOException {
        out.writeInt(commands.size());
        for (String command : commands) {
            out.writeUTF(command);
        }
    }

    @Override
    public synchronized void restore(DataInput in) throws IOException {
        commands.clear();
        micros.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            commands.add(in.readUTF());
            micros.add(now());
        }
    }

    @Override
    public synchronized void clear() {
        commands.clear();
        micros.clear();
        last = 0;
    }

    synchronized int count() {
        return commands.size();
    }

    /** Returns a hash of the first {@code first} commands, or of all commands if there are fewer. */
    synchronized String digest(int first) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String command : commands.subList(0, Math.min(first, commands.size()))) {
                digest.update(command.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) '\n');
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the commands from a position on, each with its time. */
    synchronized String listing(int from) {
        StringBuilder listing = new StringBuilder();
        for (int i = from; i < commands.size(); i++) {
            listing.append(' ').append(commands.get(i)).append('@').append(micros.get(i));
        }
        return listing.toString();
    }
}
