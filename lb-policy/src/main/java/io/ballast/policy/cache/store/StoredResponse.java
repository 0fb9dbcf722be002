package io.ballast.policy.cache.store;

import org.jspecify.annotations.Nullable;

/**
 * A response in memory, with a reference count; its body may still be growing. The store holds one reference. Thread
 * safety: the content does not change; any thread may retain and release.
 */
public final class StoredResponse {

    private final MemoryBudget budget;
    private final StoredHead head;
    private final StoredBody body;
    private final ReferenceCount references = new ReferenceCount();

    private StoredResponse(MemoryBudget budget, StoredHead head, StoredBody body) {
        this.budget = budget;
        this.head = head;
        this.body = body;
    }

    /**
     * Creates a response; the caller owns its first reference. Takes ownership of a reference to {@code body}.
     *
     * @return null if there is no memory for the head
     */
    public static @Nullable StoredResponse create(ResponseStore store, StoredHead head, StoredBody body) {
        if (!store.take(head.memoryBytes())) {
            body.release();
            return null;
        }
        return new StoredResponse(store.budget(), head, body);
    }

    /**
     * Returns a response with the same body and another head; the caller owns its first reference.
     *
     * @return null if there is no memory for the head
     */
    public @Nullable StoredResponse with(ResponseStore store, StoredHead newHead) {
        return body.retain() ? create(store, newHead, body) : null;
    }

    /** Whether the caller's reference is not the only one. */
    public boolean isShared() {
        return references.isShared();
    }

    public StoredHead head() {
        return head;
    }

    public StoredBody body() {
        return body;
    }

    /** Adds a reference; returns false if none was left, so that the response must not be used. */
    public boolean retain() {
        return references.retain();
    }

    /** Removes a reference; the last one frees the memory. */
    public void release() {
        if (references.release()) {
            budget.give(head.memoryBytes());
            body.release();
        }
    }

    /** The bytes that the response takes from the budget. */
    long memoryBytes() {
        return head.memoryBytes() + body.takenBytes();
    }
}
