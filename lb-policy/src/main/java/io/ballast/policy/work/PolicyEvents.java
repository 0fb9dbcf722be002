package io.ballast.policy.work;

/** Reports changes that operators should see. Thread safety: may be called by any thread; must not block. */
@FunctionalInterface
public interface PolicyEvents {

    /** Reports nothing. */
    PolicyEvents NONE = (subject, isProblem, text) -> {};

    /**
     * Reports a change.
     *
     * @param subject the changed object, such as a pool
     * @param isProblem whether requests fail because of the change
     * @param text a sentence without a full stop
     */
    void changed(String subject, boolean isProblem, String text);
}
