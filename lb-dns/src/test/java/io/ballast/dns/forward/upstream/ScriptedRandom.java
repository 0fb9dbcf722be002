package io.ballast.dns.forward.upstream;

import java.security.SecureRandom;

/** Returns the bytes of a script repeatedly. */
final class ScriptedRandom extends SecureRandom {

    private static final long serialVersionUID = 1L;

    private final byte[] script;

    private ScriptedRandom(byte[] script) {
        this.script = script;
    }

    static UnpredictableNumbers of(int... bytes) {
        byte[] script = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            script[i] = (byte) bytes[i];
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
