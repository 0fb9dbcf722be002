package io.ballast.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SharedEditsTest extends DiscoverySetup {

    private static final OverrideTerms TERMS = new OverrideTerms("ann", "sale", Instant.EPOCH, Optional.empty());

    private static String text(String pool, BackendEdit.Kind kind, String host, Optional<BackendConfig> entry) {
        BackendConfig backend = new BackendConfig(new HostPort(host, 80), 1, BackendConfig.DEFAULT_PRIORITY);
        return EditText.of(new BackendEdits.Key(pool, backend.address()), new BackendEdit(kind, backend, entry, TERMS));
    }

    private static String added(String pool, String host) {
        return text(pool, BackendEdit.Kind.ADDED, host, Optional.empty());
    }

    private SharedEdits shared() {
        return new SharedEdits(discovery());
    }

    private String replace(List<String> texts) {
        var fault = shared().replace(() -> texts);
        scheduler.runDue();
        return fault.join();
    }

    private String update(String subject, Optional<String> text) {
        var fault = shared().update(subject, () -> text);
        scheduler.runDue();
        return fault.join();
    }

    @Test
    void theTextOfAnEditContainsItsKey() {
        assertThat(SharedEdits.key(added("web", "10.0.0.1"))).contains("web/10.0.0.1:80");
        assertThat(SharedEdits.key("[]")).isEmpty();
        assertThat(SharedEdits.key("{\"from\": \"another version\"}")).isEmpty();
        assertThat(SharedEdits.key(added("web", "10.0.0.1").replace("added", "moved")))
                .isEmpty();
    }

    @Test
    void editsOfOthersReplaceAllOwnOnes() {
        add("10.0.0.1");
        assertThat(replace(List.of(added("web", "10.0.0.2"), added("other", "10.0.0.3"))))
                .isEmpty();

        assertThat(addresses(active)).containsExactly("10.0.0.2:80");
        assertThat(shared().all()).containsOnlyKeys("web/10.0.0.2:80");
        assertThat(shared().all()).containsValue(added("web", "10.0.0.2"));
    }

    @Test
    void equalEditsChangeNothing() {
        replace(List.of(added("web", "10.0.0.2")));
        int before = applied.size();
        replace(List.of(added("web", "10.0.0.2"), added("other", "10.0.0.3")));
        update(added("web", "10.0.0.2"), Optional.of(added("web", "10.0.0.2")));
        assertThat(applied).hasSize(before);
    }

    @Test
    void oneEditIsAddedAndReverted() {
        replace(List.of(added("web", "10.0.0.2")));
        update(added("web", "10.0.0.3"), Optional.of(added("web", "10.0.0.3")));
        assertThat(addresses(active)).containsExactly("10.0.0.2:80", "10.0.0.3:80");
        update(added("web", "10.0.0.2"), Optional.empty());
        assertThat(addresses(active)).containsExactly("10.0.0.3:80");
    }

    @Test
    void anEditOfAnotherFileEntryIsNotApplied() {
        BackendConfig entry = new BackendConfig(new HostPort("10.0.0.9", 80), 5, BackendConfig.DEFAULT_PRIORITY);
        assertThat(replace(List.of(text("web", BackendEdit.Kind.REMOVED, "10.0.0.9", Optional.of(entry)))))
                .isEmpty();
        assertThat(shared().all()).isEmpty();
    }

    @Test
    void aFailureIsReturned() {
        refusal = "no memory";
        assertThat(replace(List.of(added("web", "10.0.0.2")))).contains("no memory");
    }

    @Test
    void differencesAreReported() {
        List<String> reported = new ArrayList<>();
        SharedEdits.Listener listener = (key, text) -> reported.add(key + " " + text.isPresent());
        BackendEdits before = EditTexts.of(added("web", "10.0.0.1"), added("web", "10.0.0.2"));
        BackendEdits after = EditTexts.of(added("web", "10.0.0.2"), added("web", "10.0.0.3"));
        SharedEdits.report(before, after, listener);
        assertThat(reported).containsExactly("web/10.0.0.1:80 false", "web/10.0.0.3:80 true");
    }

    private static final class EditTexts {

        static BackendEdits of(String... texts) {
            BackendEdits edits = BackendEdits.NONE;
            for (String text : texts) {
                var parsed = EditText.parse(text);
                edits = edits.with(parsed.getKey(), parsed.getValue());
            }
            return edits;
        }
    }
}
