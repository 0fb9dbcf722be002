package io.ballast.policy.jwt.key;

import com.nimbusds.jose.JOSEException;
import io.ballast.policy.config.jwt.JwtAlgorithm;
import java.security.GeneralSecurityException;

/** Verifies signatures with one key. Thread safety: may be called concurrently. Cost: up to 1 ms. */
@FunctionalInterface
interface SignatureCheck {

    /** Returns whether the signature of {@code content} is valid; an exception means that it is not. */
    boolean verify(JwtAlgorithm algorithm, byte[] content, byte[] signature)
            throws GeneralSecurityException, JOSEException;
}
