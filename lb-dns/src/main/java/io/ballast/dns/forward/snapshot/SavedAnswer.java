package io.ballast.dns.forward.snapshot;

/**
 * An answer that is kept, with all that is known of it. Not to be written to: {@link #message}.
 *
 * @param group of resolvers, as text that means the same in another process
 * @param flags of its question
 * @param isSecure whether all its signatures were checked
 * @param takenMillis when it was taken in, since 1970
 * @param message as a resolver might have sent it then, with the question in lower case
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SavedAnswer(String group, int flags, boolean isSecure, long takenMillis, byte[] message) {}
