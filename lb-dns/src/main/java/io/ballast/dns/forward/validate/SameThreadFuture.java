package io.ballast.dns.forward.validate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A future whose dependent stages run on the thread that adds or completes them, even if no executor is
 * given.
 */
final class SameThreadFuture<T> extends CompletableFuture<T> {

    @Override
    public Executor defaultExecutor() {
        return Runnable::run;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new SameThreadFuture<>();
    }
}
