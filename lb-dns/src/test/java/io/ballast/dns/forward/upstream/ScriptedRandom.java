package io.ballast.dns.forward.upstream;

import java.security.SecureRandom;

/** Returns the bytes of a script repeatedly. */
final class ScriptedRandom extends SecureRandom {

    private static final long serialVersionUID = 1L;

    private final byte[] script;

    private ScriptedRandom(byte[] script) {
        this.script = script;
    }

    static UnpredictableNumbers of(int... octets) {
        byte[] script = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            script[i] = (byte) octets[i];
        }
        return new UnpredictableNumbers(new ScriptedRandom(script));
    }

    @Override
    public void nextBytes(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = script[i % script.length];
        }
    }
}
