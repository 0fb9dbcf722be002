package io.ballast.http.trace;

/**
 * Receives the traces of recorded requests when the requests end.
 *
 * <p>Thread safety: any thread may call {@link #isActive}; each event loop calls {@link #offer} with its own index.
 */
public interface TraceSink {

    /** Records nothing. */
    TraceSink NONE = new TraceSink() {
        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public void offer(int loop, RequestTrace trace) {}
    };

    /** Whether spans are exported. If not, requests are not recorded, but their trace ids are still passed on. */
    boolean isActive();

    /**
     * Copies a trace into a bounded queue; drops and counts it if the queue is full. Must not block or allocate.
     *
     * @param loop the index of the calling event loop
     */
    void offer(int loop, RequestTrace trace);
}
