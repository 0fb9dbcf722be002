package io.ballast.discovery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Exchanges the edits of operators with other nodes, as texts. The key of an edit is {@code POOL/ADDRESS}. Confined to the
 * control plane, except for the static methods.
 */
public final class SharedEdits {

    private final Discovery discovery;

    /** Receives the edits that an operator makes or reverts on this node. Called on the control plane's thread. */
    public interface Listener {

        /** @param text the edit as text; absent if the edit was reverted */
        void edited(String key, Optional<String> text);
    }

    public SharedEdits(Discovery discovery) {
        this.discovery = discovery;
    }

    /** Returns the key of an edit; empty if this version cannot read the text. */
    public static Optional<String> key(String text) {
        try {
            return Optional.of(key(EditText.parse(text).getKey()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String key(BackendEdits.Key key) {
        return key.pool() + "/" + key.address();
    }

    /** Notifies the listener of the difference between two sets of edits. */
    static void report(BackendEdits before, BackendEdits after, Listener listener) {
        before.all().forEach((key, edit) -> {
            if (!after.all().containsKey(key)) {
                listener.edited(key(key), Optional.empty());
            }
        });
        after.all().forEach((key, edit) -> {
            if (!edit.equals(before.all().get(key))) {
                listener.edited(key(key), Optional.of(EditText.of(key, edit)));
            }
        });
    }

    /** Returns the texts of all active edits, by key. */
    public Map<String, String> all() {
        Map<String, String> texts = new LinkedHashMap<>();
        discovery.edits().all().forEach((key, edit) -> texts.put(key(key), EditText.of(key, edit)));
        return texts;
    }

    /**
     * Replaces all edits. Omits edits that do not apply on this node: their pool does not exist, or the backend's entry
     * in the configuration file differs from the entry at the time of the edit.
     *
     * @param wanted returns the texts; called when all earlier edits are active
     * @return completes with an empty text, or with the reason for a failure
     */
    public CompletableFuture<String> replace(Supplier<Iterable<String>> wanted) {
        return discovery.submitEdit(edits -> {
            Map<BackendEdits.Key, BackendEdit> next = new LinkedHashMap<>();
            for (String text : wanted.get()) {
                Map.Entry<BackendEdits.Key, BackendEdit> edit = EditText.parse(text);
                next.put(edit.getKey(), edit.getValue());
            }
            return changed(edits, new BackendEdits(next));
        });
    }

    /**
     * Replaces or reverts one edit.
     *
     * @param subject a text with the pool and the backend
     * @param wanted returns the text of the edit; absent to revert it. Called when all earlier edits are active
     * @return like {@link #replace}
     */
    public CompletableFuture<String> update(String subject, Supplier<Optional<String>> wanted) {
        BackendEdits.Key key = EditText.parse(subject).getKey();
        return discovery.submitEdit(edits -> {
            Optional<BackendEdit> edit =
                    wanted.get().map(text -> EditText.parse(text).getValue());
            return changed(edits, edit.map(present -> edits.with(key, present)).orElseGet(() -> edits.without(key)));
        });
    }

    private Optional<BackendEdits> changed(BackendEdits edits, BackendEdits wanted) {
        BackendEdits next = discovery.applicable(wanted);
        return next.all().equals(edits.all()) ? Optional.empty() : Optional.of(next);
    }
}
