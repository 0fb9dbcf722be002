package io.ballast.cluster.log;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps all commands in order. */
final class RecordingMachine implements FactMachine {

    final List<String> commands = new CopyOnWriteArrayList<>();
    private long last;

    @Override
    public byte[] apply(long position, byte[] command) {
        if (position <= last) {
            throw new IllegalStateException("position " + position + " after position " + last);
        }
        last = position;
        commands.add(new String(command, StandardCharsets.UTF_8));
        return command;
    }

    @Override
    public void save(DataOutput out) throws IOException {
        out.writeInt(commands.size());
        for (String command : commands) {
            out.writeUTF(command);
        }
    }

    @Override
    public void restore(DataInput in) throws IOException {
        commands.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            commands.add(in.readUTF());
        }
    }

    @Override
    public void clear() {
        commands.clear();
        last = 0;
    }
}
