package io.ballast.cluster.fact;

import io.ballast.cluster.fact.FactAnswer.Outcome;
import io.ballast.cluster.log.FactMachine;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All committed facts: the state machine of the log. Called by one thread at a time.
 *
 * <p>Bounds: {@value #MAX_FACTS} facts, and {@value #MAX_BYTES} bytes of keys and values.
 */
final class FactTable implements FactMachine {

    static final int MAX_FACTS = 50_000;
    static final int MAX_BYTES = 64 << 20;

    private final Map<String, Fact> facts = new HashMap<>();
    private final ChangeListener listener;
    private long bytes;

    /** Receives each change, in order. */
    interface ChangeListener {

        /** @param fact the new fact; null if it was removed */
        void committed(String key, @Nullable Fact fact);
    }

    FactTable(ChangeListener listener) {
        this.listener = listener;
    }

    @Override
    public byte[] apply(long position, byte[] bytes) {
        try {
            return apply(position, FactCommand.decode(bytes)).encode();
        } catch (IOException e) {
            return new FactAnswer(Outcome.MALFORMED, Fact.ABSENT).encode();
        }
    }

    private FactAnswer apply(long position, FactCommand command) {
        Fact current = facts.get(command.key());
        long version = current == null ? Fact.ABSENT : current.version();
        if (hasValue(current, command.value())) {
            return new FactAnswer(Outcome.APPLIED, version);
        }
        if (version != command.expected()) {
            return new FactAnswer(Outcome.CONFLICT, version);
        }
        String value = command.value();
        if (value == null) {
            remove(command.key());
            listener.committed(command.key(), null);
            return new FactAnswer(Outcome.APPLIED, Fact.ABSENT);
        }
        Fact next = new Fact(command.key(), value, position);
        if ((current == null && facts.size() >= MAX_FACTS) || bytes - size(current) + size(next) > MAX_BYTES) {
            return new FactAnswer(Outcome.FULL, version);
        }
        put(next);
        listener.committed(command.key(), next);
        return new FactAnswer(Outcome.APPLIED, position);
    }

    /**
     * Whether the fact already has the value of a change. A change whose outcome was unknown may be submitted twice.
     */
    static boolean hasValue(@Nullable Fact fact, @Nullable String value) {
        return fact == null ? value == null : fact.value().equals(value);
    }

    private void put(Fact fact) {
        bytes += size(fact) - size(facts.put(fact.key(), fact));
    }

    private void remove(String key) {
        bytes -= size(facts.remove(key));
    }

    static long size(@Nullable Fact fact) {
        return fact == null ? 0 : fact.key().length() + fact.value().getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public void save(DataOutput out) throws IOException {
        out.writeInt(facts.size());
        for (Fact fact : facts.values()) {
            FactTexts.write(out, fact.key());
            FactTexts.write(out, fact.value());
            out.writeLong(fact.version());
        }
    }

    @Override
    public void restore(DataInput in) throws IOException {
        Map<String, Fact> restored = new HashMap<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            Fact fact = new Fact(FactTexts.read(in), FactTexts.read(in), in.readLong());
            restored.put(fact.key(), fact);
        }
        replace(restored);
    }

    @Override
    public void clear() {
        replace(Map.of());
    }

    private void replace(Map<String, Fact> others) {
        Map<String, Fact> before = new HashMap<>(facts);
        facts.clear();
        bytes = 0;
        others.values().forEach(this::put);
        for (String key : before.keySet()) {
            if (!others.containsKey(key)) {
                listener.committed(key, null);
            }
        }
        others.values().stream()
                .filter(fact -> !fact.equals(before.get(fact.key())))
                .sorted(Comparator.comparingLong(Fact::version))
                .forEach(fact -> listener.committed(fact.key(), fact));
    }
}
