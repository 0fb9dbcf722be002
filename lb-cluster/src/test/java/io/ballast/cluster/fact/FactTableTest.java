package io.ballast.cluster.fact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.cluster.fact.FactAnswer.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FactTableTest {

    private final List<String> changes = new ArrayList<>();
    private final FactTable table = recorded(changes);
    private long position;

    private static FactTable recorded(List<String> changes) {
        return new FactTable((key, fact) -> changes.add(key + "=" + (fact == null ? "" : fact.value())));
    }

    private FactAnswer apply(String key, @Nullable String value, long expected) {
        position++;
        return FactAnswer.decode(table.apply(position, new FactCommand(key, value, expected).encode()));
    }

    @Test
    void aFactIsSetChangedAndRemoved() {
        assertThat(apply("a", "1", 0)).isEqualTo(new FactAnswer(Outcome.APPLIED, 1));
        assertThat(apply("a", "2", 1)).isEqualTo(new FactAnswer(Outcome.APPLIED, 2));
        assertThat(apply("a", null, 2)).isEqualTo(new FactAnswer(Outcome.APPLIED, 0));
        assertThat(changes).containsExactly("a=1", "a=2", "a=");
    }

    @Test
    void aChangeOfAnotherVersionIsAConflict() {
        apply("a", "1", 0);
        assertThat(apply("a", "2", 0)).isEqualTo(new FactAnswer(Outcome.CONFLICT, 1));
        assertThat(apply("a", null, 7)).isEqualTo(new FactAnswer(Outcome.CONFLICT, 1));
        assertThat(apply("b", "1", 7)).isEqualTo(new FactAnswer(Outcome.CONFLICT, 0));
        assertThat(changes).containsExactly("a=1");
    }

    @Test
    void aRepeatedCommandIsAppliedOnce() {
        apply("a", "1", 0);
        assertThat(apply("a", "1", 0)).isEqualTo(new FactAnswer(Outcome.APPLIED, 1));
        apply("a", null, 1);
        assertThat(apply("a", null, 1)).isEqualTo(new FactAnswer(Outcome.APPLIED, 0));
        assertThat(changes).containsExactly("a=1", "a=");
    }

    @Test
    void theNumberOfFactsIsLimited() {
        for (int i = 0; i < FactTable.MAX_FACTS; i++) {
            apply("k" + i, "v", 0);
        }
        assertThat(apply("one more", "v", 0).outcome()).isEqualTo(Outcome.FULL);
        assertThat(apply("k0", "w", 1).outcome()).isEqualTo(Outcome.APPLIED);
        apply("k1", null, 2);
        assertThat(apply("one more", "v", 0).outcome()).isEqualTo(Outcome.APPLIED);
    }

    @Test
    void theBytesOfAllFactsAreLimited() {
        String large = "x".repeat(Fact.MAX_VALUE_BYTES);
        int fitting = FactTable.MAX_BYTES / (Fact.MAX_VALUE_BYTES + 5);
        for (int i = 0; i < fitting; i++) {
            assertThat(apply("%05d".formatted(i), large, 0).outcome()).isEqualTo(Outcome.APPLIED);
        }
        assertThat(apply("99999", large, 0).outcome()).isEqualTo(Outcome.FULL);
        assertThat(apply("99999", "small", 0).outcome()).isEqualTo(Outcome.APPLIED);
    }

    @Test
    void malformedCommandsChangeNothing() {
        byte[] command = new FactCommand("a", "1", 0).encode();
        for (int length = 0; length < command.length; length++) {
            byte[] cut = Arrays.copyOf(command, length);
            assertThat(FactAnswer.decode(table.apply(++position, cut)).outcome())
                    .isEqualTo(Outcome.MALFORMED);
        }
        byte[] longer = Arrays.copyOf(command, command.length + 1);
        assertThat(FactAnswer.decode(table.apply(++position, longer)).outcome()).isEqualTo(Outcome.MALFORMED);
        assertThat(changes).isEmpty();
    }

    @Test
    void aRestoredTableReportsWhatDiffers() throws IOException {
        apply("same", "1", 0);
        apply("changed", "new", 0);
        apply("added", "1", 0);
        byte[] saved = saved(table);

        List<String> others = new ArrayList<>();
        FactTable other = recorded(others);
        other.apply(1, new FactCommand("same", "1", 0).encode());
        other.apply(2, new FactCommand("gone", "1", 0).encode());
        other.apply(3, new FactCommand("changed", "old", 0).encode());
        others.clear();
        other.restore(new DataInputStream(new ByteArrayInputStream(saved)));
        assertThat(others).containsExactly("gone=", "changed=new", "added=1");
        others.clear();
        other.clear();
        assertThat(others).containsExactlyInAnyOrder("same=", "changed=", "added=");
    }

    @Test
    void aStateThatEndsTooEarlyIsRejected() throws IOException {
        apply("a", "1", 0);
        byte[] saved = saved(table);
        for (int length = 0; length < saved.length; length++) {
            byte[] cut = Arrays.copyOf(saved, length);
            assertThatThrownBy(() -> table.restore(new DataInputStream(new ByteArrayInputStream(cut))))
                    .isInstanceOf(IOException.class);
        }
    }

    private static byte[] saved(FactTable table) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.save(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }
}
