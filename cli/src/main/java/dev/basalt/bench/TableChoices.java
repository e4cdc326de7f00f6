package dev.basalt.bench;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The options of a call; a routine takes those it has.
 *
 * @param side side of the triangular, symmetric or diagonal operand
 * @param uplo stored triangle
 * @param diag whether the diagonal is unit
 * @param trans how A is read
 * @param transB how B is read, where it has an option of its own
 * @param vectors whether eigenvectors or singular vectors are computed
 */
public record TableChoices(Side side, Uplo uplo, Diag diag, Op trans, Op transB, boolean vectors) {}
