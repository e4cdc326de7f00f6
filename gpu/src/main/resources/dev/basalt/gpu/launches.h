// Made from launches.txt by LaunchTableTest: what each kernel is declared with, and the numbers of its row.
#ifndef BASALT_LAUNCHES_H
#define BASALT_LAUNCHES_H

#define BASALT_LAUNCH_basalt_copy_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_swap_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_swap_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_swap_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_swap_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rot_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rot_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rot_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rot_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_axpy_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_axpy_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_axpy_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_axpy_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_fill_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_fill_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_fill_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_fill_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_icopy32_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_icopy64_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ifill32_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ifill64_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_dot_s __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_dot_d __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_dot_c __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_dot_z __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_asum_s __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_asum_d __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_asum_c __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_asum_z __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_nrm2_s __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_nrm2_d __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_nrm2_c __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_nrm2_z __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamax_s __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamax_d __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamax_c __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamax_z __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamin_s __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamin_d __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamin_c __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamin_z __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_dot_near_s BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_dot_near_d BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_dot_near_c BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_dot_near_z BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_asum_near_s BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_asum_near_d BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_asum_near_c BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_asum_near_z BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_nrm2_near_s BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_nrm2_near_d BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_nrm2_near_c BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_nrm2_near_z BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamax_near_s BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamax_near_d BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamax_near_c BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamax_near_z BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamin_near_s BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamin_near_d BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamin_near_c BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_iamin_near_z BASALT_CLUSTER(8) __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_copy_matrix_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_matrix_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_matrix_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_matrix_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_matrix_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_matrix_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_matrix_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_matrix_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_triangle_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_triangle_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_triangle_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scal_triangle_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_add_triangle_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_add_triangle_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_add_triangle_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_add_triangle_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_triangle_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_triangle_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_triangle_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_triangle_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_expand_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_expand_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_expand_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_expand_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ger_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ger_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ger_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ger_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ger_large_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ger_large_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ger_large_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ger_large_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_icopy_matrix16_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_icopy_matrix32_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_icopy_matrix64_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_exponents_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_residues_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_modulo_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_faint_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_reconstruct_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_dgmm_s __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_dgmm_d __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_dgmm_c __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_dgmm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_geam_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_geam_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_geam_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_geam_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_min_plus_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_min_plus_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_plus_min_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_plus_min_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rotg_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_rotg_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_rotg_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_rotg_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_rotmg_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_rotmg_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_mixed_axpy_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_axpy_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_scal_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_scal_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_rot_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_rot_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_gemv_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_gemv_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_gemm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_gemm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_mixed_dot_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_mixed_nrm2_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_mixed_igemm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_half_min_plus_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_half_plus_min_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_half_nn_32_s __launch_bounds__(64, 9)
#define BASALT_LAUNCH_basalt_half_nt_32_s __launch_bounds__(64, 6)
#define BASALT_LAUNCH_basalt_half_tn_32_s __launch_bounds__(64, 10)
#define BASALT_LAUNCH_basalt_half_tt_32_s __launch_bounds__(64, 9)
#define BASALT_LAUNCH_basalt_half_nn_48_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_half_nt_48_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_half_tn_48_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_half_tt_48_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_half_nn_64_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_half_nt_64_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_half_tn_64_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_half_tt_64_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_half_nn_96_s __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_half_nt_96_s __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_half_tn_96_s __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_half_tt_96_s __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_half_nn_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_half_nt_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_half_tn_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_half_tt_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_tf32_nn_64_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_tf32_nt_64_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_tf32_tn_64_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_tf32_tt_64_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_tf32_nn_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_tf32_nt_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_tf32_tn_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_tf32_tt_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_short_nn_64_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_short_nt_64_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_short_tn_64_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_short_tt_64_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_short_nn_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_short_nt_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_short_tn_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_short_tt_128_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_warpgroup_nn_128_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_warpgroup_nt_128_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_warpgroup_tn_128_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_warpgroup_tt_128_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_warpgroup_nn_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_warpgroup_nt_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_warpgroup_tn_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_warpgroup_tt_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_integers_nn_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_integers_nt_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_integers_tn_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_integers_tt_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_rounded_nn_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_rounded_nt_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_rounded_tn_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_rounded_tt_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_rounded_factors_128_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_rounded_factors_256_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_round_factors_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_n_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gemv_n_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gemv_n_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gemv_n_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gemv_t_s __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_gemv_t_d __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_gemv_t_c __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_gemv_t_z __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_gemv_batch_n_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_batch_n_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_batch_n_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_batch_n_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_batch_t_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_batch_t_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_batch_t_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_batch_t_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symv_rows_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symv_rows_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symv_rows_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symv_rows_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symv_strips_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_symv_strips_d __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_symv_strips_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_symv_strips_z __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_spmv_rows_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_spmv_rows_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_spmv_rows_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_spmv_rows_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_spmv_strips_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_spmv_strips_d __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_spmv_strips_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_spmv_strips_z __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_spmv_twice_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_spmv_twice_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_spmv_twice_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_spmv_twice_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_symv_twice_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_symv_twice_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_symv_twice_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_symv_twice_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_symv_sum_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symv_sum_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symv_sum_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symv_sum_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_n_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_trmv_n_d __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_trmv_n_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_trmv_n_z __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_trmv_t_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_t_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_t_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_t_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_in_place_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_in_place_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_in_place_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_in_place_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_n_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_n_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_n_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_n_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_t_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_t_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_t_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_t_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpmv_n_s __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_tpmv_n_d __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_tpmv_n_c __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_tpmv_n_z __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_tpmv_t_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpmv_t_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpmv_t_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpmv_t_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_stored_in_place_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_stored_in_place_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_stored_in_place_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_stored_in_place_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_stored_n_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_stored_n_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_stored_n_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_stored_n_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_stored_t_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_stored_t_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_stored_t_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsv_stored_t_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmv_warp_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trmv_warp_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trmv_warp_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trmv_warp_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trsv_warp_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trsv_warp_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trsv_warp_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trsv_warp_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gbmv_n_s __launch_bounds__(1024)
#define BASALT_LAUNCH_basalt_gbmv_n_d __launch_bounds__(1024)
#define BASALT_LAUNCH_basalt_gbmv_n_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gbmv_n_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gbmv_t_s __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_gbmv_t_d __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_gbmv_t_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gbmv_t_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sbmv_s __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_sbmv_d __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_sbmv_c __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_sbmv_z __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_tbmv_n_s __launch_bounds__(1024)
#define BASALT_LAUNCH_basalt_tbmv_n_d __launch_bounds__(1024)
#define BASALT_LAUNCH_basalt_tbmv_n_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_tbmv_n_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_tbmv_t_s __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_tbmv_t_d __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_tbmv_t_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tbmv_t_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gbmv_narrow_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gbmv_narrow_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gbmv_narrow_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gbmv_narrow_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sbmv_narrow_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sbmv_narrow_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sbmv_narrow_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sbmv_narrow_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_tbmv_narrow_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_tbmv_narrow_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_tbmv_narrow_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_tbmv_narrow_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_syr_s __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_syr_d __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_syr_c __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_syr_small_s __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syr_small_d __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syr_small_c __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syr_small_z __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syr_z __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syr2_s __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_syr2_d __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_syr2_c __launch_bounds__(512, 2)
#define BASALT_LAUNCH_basalt_syr2_small_s __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syr2_small_d __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syr2_small_c __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syr2_small_z __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syr2_z __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_rotm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rotm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syrk_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syrk_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syrk_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syrk_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmm_apart_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmm_apart_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmm_apart_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmm_apart_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_part_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_part_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_part_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_part_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_both_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_both_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_both_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_both_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_gemm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_gemm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_gemm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_gemm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_symm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_symm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_symm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_symm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_syrk_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_syrk_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_syrk_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_syrk_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_part_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_part_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_part_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_part_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_both_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_both_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_both_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_both_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_trmm_apart_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_trmm_apart_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_trmm_apart_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_trmm_apart_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_trmm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_trmm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_trmm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_trmm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_few_gemv_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_few_gemv_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_few_gemv_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_few_gemv_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_outer_gemm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_gemm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_gemm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_gemm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_syrk_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_syrk_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_syrk_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_syrk_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_part_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_part_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_part_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_part_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_both_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_both_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_both_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_outer_both_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_gemm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_gemm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_gemm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_gemm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_symm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_symm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_symm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_symm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_syrk_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_syrk_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_syrk_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_syrk_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_trmm_apart_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_trmm_apart_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_trmm_apart_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_trmm_apart_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_trmm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_trmm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_trmm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_trmm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_part_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_part_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_part_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_part_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_both_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_both_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_both_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_both_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_gemm_s BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_gemm_c BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_gemm_d BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_gemm_z BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_syrk_s BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_syrk_c BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_syrk_d BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_syrk_z BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_part_s BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_part_c BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_part_d BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_part_z BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_both_s BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_both_c BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_both_d BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sliced_deep_both_z BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_small_8_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_8_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_8_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_8_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_16_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_16_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_16_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_16_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_flat_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_flat_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_flat_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_flat_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_tall_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_tall_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_tall_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_tall_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_small_24_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_small_24_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_small_24_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_small_24_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_small_32_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_simt_nn_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_nn_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_nt_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_nt_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_tn_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_tn_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_tt_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_tt_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_half_nn_s __launch_bounds__(64, 7)
#define BASALT_LAUNCH_basalt_simt_half_nn_c __launch_bounds__(64, 7)
#define BASALT_LAUNCH_basalt_simt_half_nt_s __launch_bounds__(64, 7)
#define BASALT_LAUNCH_basalt_simt_half_nt_c __launch_bounds__(64, 7)
#define BASALT_LAUNCH_basalt_simt_half_tn_s __launch_bounds__(64, 7)
#define BASALT_LAUNCH_basalt_simt_half_tn_c __launch_bounds__(64, 7)
#define BASALT_LAUNCH_basalt_simt_half_tt_s __launch_bounds__(64, 7)
#define BASALT_LAUNCH_basalt_simt_half_tt_c __launch_bounds__(64, 7)
#define BASALT_LAUNCH_basalt_simt_part_nn_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_part_nn_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_part_nt_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_part_nt_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_part_tn_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_part_tn_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_part_tt_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_part_tt_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_both_n_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_both_n_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_both_t_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_both_t_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_syrk_n_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_syrk_n_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_syrk_t_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_syrk_t_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_trmm_ln_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_trmm_ln_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_trmm_lt_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_trmm_lt_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_trmm_rn_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_trmm_rn_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_trmm_rt_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_simt_trmm_rt_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_tensor_nn_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_nt_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_tn_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_tt_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_syrk_n_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_syrk_t_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_trmm_ln_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_trmm_lt_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_trmm_rn_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_trmm_rt_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_nn_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_nt_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_tn_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_tt_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_syrk_n_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_syrk_t_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_trmm_ln_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_trmm_lt_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_trmm_rn_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_trmm_rt_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_nn_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_nt_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_tn_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_tt_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_syrk_n_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_syrk_t_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_trmm_ln_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_trmm_lt_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_trmm_rn_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_trmm_rt_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_syrk_n_half_d __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_tensor_syrk_t_half_d __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_tensor_syrk_n_32_z __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_tensor_syrk_t_32_z __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_tensor_part_nn_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_part_nt_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_part_tn_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_part_tt_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_both_n_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_both_t_128_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_tensor_part_nn_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_part_nt_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_part_tn_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_part_tt_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_both_n_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_both_t_64_d __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_part_nn_half_d __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_tensor_part_nt_half_d __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_tensor_part_tn_half_d __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_tensor_part_tt_half_d __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_tensor_both_n_half_d __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_tensor_both_t_half_d __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_tensor_part_nn_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_part_nt_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_part_tn_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_part_tt_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_both_n_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_tensor_both_t_64_z __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_trmm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trmm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trtri_s __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_trtri_d __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_trtri_c __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_trtri_z __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_trsm_8_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_8_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_8_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trsm_8_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trsm_16_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_16_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_16_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trsm_16_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trsm_32_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_32_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_32_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_trsm_products_8_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_products_8_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_products_8_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_products_16_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_products_16_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_products_16_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_products_32_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_products_32_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsm_products_32_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_solve_across_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_across_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_across_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_across_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_across_16_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_across_16_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_across_16_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_across_16_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_8_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_8_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_8_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_8_z __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_solve_16_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_16_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_16_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_16_z __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_solve_32_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_32_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_32_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_solve_32_z __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_thin_n_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_thin_n_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_thin_n_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_thin_n_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_thin_t_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_thin_t_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_thin_t_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_thin_t_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_getf2_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_getf2_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_getf2_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_getf2_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_laswp_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laswp_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laswp_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laswp_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laswp_columns_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_laswp_columns_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_laswp_columns_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_laswp_columns_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_potf2_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potf2_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potf2_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potf2_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potf2_narrow_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_potf2_narrow_d __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_potf2_narrow_c __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_potf2_narrow_z __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_deep_nn_d BASALT_CLUSTER(8) __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_deep_nn_z BASALT_CLUSTER(8) __launch_bounds__(128, 1)
#define BASALT_LAUNCH_basalt_deep_nt_d BASALT_CLUSTER(8) __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_deep_nt_z BASALT_CLUSTER(8) __launch_bounds__(128, 1)
#define BASALT_LAUNCH_basalt_deep_tn_d BASALT_CLUSTER(8) __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_deep_tn_z BASALT_CLUSTER(8) __launch_bounds__(128, 1)
#define BASALT_LAUNCH_basalt_deep_tt_d BASALT_CLUSTER(8) __launch_bounds__(128, 2)
#define BASALT_LAUNCH_basalt_deep_tt_z BASALT_CLUSTER(8) __launch_bounds__(128, 1)
#define BASALT_LAUNCH_basalt_qr_alone_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_alone_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_alone_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_alone_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_8_s BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_8_d BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_8_c BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_8_z BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_16_s BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_16_d BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_16_c BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_16_z BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_tall_s BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_tall_d BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_tall_c BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_cluster_tall_z BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_slices_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_slices_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_slices_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_slices_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_8_s BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_8_d BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_8_c BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_8_z BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_16_s BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_16_d BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_16_c BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qr_held_16_z BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_larft_rows_s __launch_bounds__(1024)
#define BASALT_LAUNCH_basalt_larft_rows_d __launch_bounds__(1024)
#define BASALT_LAUNCH_basalt_larft_rows_c __launch_bounds__(1024)
#define BASALT_LAUNCH_basalt_larft_rows_z __launch_bounds__(1024)
#define BASALT_LAUNCH_basalt_geqr2_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_geqr2_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_geqr2_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_geqr2_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_qr_8_s __launch_bounds__(128, 7)
#define BASALT_LAUNCH_basalt_qr_8_d __launch_bounds__(128, 7)
#define BASALT_LAUNCH_basalt_qr_8_c __launch_bounds__(128, 7)
#define BASALT_LAUNCH_basalt_qr_8_z __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_qr_16_s __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_qr_16_d __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_qr_16_c __launch_bounds__(128, 5)
#define BASALT_LAUNCH_basalt_qr_16_z __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_qr_32_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_qr_32_d __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_qr_32_c __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_qr_warp_s __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_qr_warp_d __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_qr_warp_c __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_qr_warp_z __launch_bounds__(128, 3)
#define BASALT_LAUNCH_basalt_qr_block_s __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_qr_block_d __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_qr_block_c __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_qr_block_z __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_qr_lanes_8_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_qr_lanes_8_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_qr_lanes_8_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_qr_lanes_8_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_qr_lanes_16_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_qr_lanes_16_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_qr_lanes_16_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_qr_lanes_16_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_gels_lanes_8_s __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gels_lanes_8_d __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gels_lanes_8_c __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gels_lanes_8_z __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gels_lanes_16_s __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gels_lanes_16_d __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gels_lanes_16_c __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gels_any_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_gels_any_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_gels_any_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_gels_any_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_gels_block_s __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_gels_block_d __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_gels_block_c __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_gels_block_z __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_orm2r_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_org2r_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_org2r_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_org2r_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_org2r_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_larft_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_larft_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_larft_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_larft_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_zero_diagonal_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_zero_diagonal_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_zero_diagonal_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_zero_diagonal_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_orm2r_held_8_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_8_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_8_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_8_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_16_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_16_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_16_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_16_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_32_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_32_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_32_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_orm2r_held_32_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpqrt2_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpqrt2_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpqrt2_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpqrt2_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpmqr2_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpmqr2_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpmqr2_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tpmqr2_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_larfg_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_larfg_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_larfg_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_larfg_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_conjugate_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_conjugate_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_geqp3_start_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_geqp3_start_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_geqp3_start_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_geqp3_start_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_laqps_column_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_laqps_column_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_laqps_column_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_laqps_column_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_laqps_row_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_laqps_row_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_laqps_row_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_laqps_row_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_geqp3_s __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_geqp3_d __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_geqp3_c __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_geqp3_z __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_rank_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_rank_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_rank_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_rank_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_permute_rows_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_permute_rows_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_permute_rows_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_permute_rows_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gaussian_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gaussian_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gaussian_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gaussian_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_choose_columns_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_choose_columns_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_choose_columns_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_choose_columns_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_sytf2_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytf2_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytf2_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytf2_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lasyf_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lasyf_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lasyf_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lasyf_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lasyf_16_s BASALT_CLUSTER(16) __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lasyf_16_d BASALT_CLUSTER(16) __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lasyf_16_c BASALT_CLUSTER(16) __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lasyf_16_z BASALT_CLUSTER(16) __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_aasen_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_aasen_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_aasen_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_aasen_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_sytrs_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytrs_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytrs_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytrs_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_d22solve_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_d22solve_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_d22solve_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_d22solve_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_syconv_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syconv_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syconv_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syconv_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytri_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytri_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytri_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytri_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_warp_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_lu_warp_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_lu_warp_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_lu_warp_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_lu_8_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_8_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_8_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_8_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_16_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_16_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_16_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_16_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_32_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_32_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_32_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_32_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_lu_alone_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_alone_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_alone_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_alone_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_cluster_8_s BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_cluster_8_d BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_cluster_8_c BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_cluster_8_z BASALT_CLUSTER(8) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_cluster_16_s BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_cluster_16_d BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_cluster_16_c BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_cluster_16_z BASALT_CLUSTER(16) __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_slices_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_slices_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_slices_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lu_slices_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_cholesky_upper_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_cholesky_lower_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_cholesky_64_d __launch_bounds__(128, 6)
#define BASALT_LAUNCH_basalt_cholesky_128_d __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_lu_tiles_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_cholesky_8_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_8_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_8_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_8_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_16_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_16_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_16_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_16_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_32_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_32_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_32_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_cholesky_32_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_to_real_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_to_real_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_to_real_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_to_real_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_from_real_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_from_real_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_from_real_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_from_real_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_convert_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_convert_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_convert_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_convert_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_row_sums_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_row_sums_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symmetric_sums_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_symmetric_sums_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_converged_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_converged_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_fall_back_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_fgmres_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_fgmres_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_getf2_npvt_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_getf2_npvt_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_getf2_npvt_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_getf2_npvt_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_getf2_npvt_8_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_8_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_8_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_8_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_16_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_16_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_16_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_16_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_32_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_32_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_32_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_32_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getf2_npvt_64_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_getf2_npvt_64_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_getf2_npvt_64_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_getf2_npvt_64_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_getri_s __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_getri_d __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_getri_c __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_getri_z __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_getri_8_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getri_8_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getri_8_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getri_8_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getri_16_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getri_16_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getri_16_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getri_16_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_getri_32_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_getri_32_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_getri_32_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_getri_32_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_swap_columns_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_swap_columns_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_swap_columns_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_swap_columns_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potf2_stored_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potf2_stored_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potf2_stored_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potf2_stored_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_posv_stored_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_posv_stored_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_posv_stored_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_posv_stored_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potri_stored_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potri_stored_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potri_stored_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_potri_stored_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lauum_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lauum_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lauum_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lauum_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_copy_stored_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_stored_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_stored_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_stored_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_pttrf_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_pttrf_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_pttrf_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_pttrf_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_pttrs_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_pttrs_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_pttrs_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_pttrs_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_norm_lines_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_norm_lines_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_norm_lines_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_norm_lines_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_norm_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_norm_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_norm_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_norm_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_norm_tridiagonal_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_norm_tridiagonal_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_norm_tridiagonal_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_norm_tridiagonal_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laset_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laset_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laset_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laset_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lascl_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lascl_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lascl_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lascl_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rescale_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rescale_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rescale_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rescale_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_shift_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_shift_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_shift_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_shift_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lacn2_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lacn2_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lacn2_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_lacn2_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_rcond_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_rcond_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_rcond_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_rcond_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_geequ_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_geequ_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_geequ_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_geequ_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_poequ_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_poequ_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_poequ_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_poequ_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laqge_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laqge_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laqge_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_laqge_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_abs_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_abs_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_abs_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gemv_abs_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gerfs_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gerfs_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gerfs_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gerfs_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scale_rows_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scale_rows_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scale_rows_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_scale_rows_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gesvx_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gesvx_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gesvx_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gesvx_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gbtf2_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gbtf2_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gbtf2_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gbtf2_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_band_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_band_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_band_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_copy_band_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_unpivot_band_s __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_unpivot_band_d __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_unpivot_band_c __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_unpivot_band_z __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_gbtrs_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gbtrs_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gbtrs_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gbtrs_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gttrf_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gttrf_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gttrf_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gttrf_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gttrs_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gttrs_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gttrs_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gttrs_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gtsv_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gtsv_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gtsv_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gtsv_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gtsv_warps_s __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_gtsv_warps_d __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_gtsv_warps_c __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_gtsv_warps_z __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_gebd2_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gebd2_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gebd2_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gebd2_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_labrd_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_labrd_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_labrd_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_labrd_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_labrd_panel_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_labrd_panel_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_labrd_panel_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_labrd_panel_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_labrd_columns_8_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_labrd_columns_8_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_labrd_columns_8_c __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_labrd_columns_8_z __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_labrd_columns_16_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_labrd_columns_16_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_labrd_columns_16_c __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_gebd2_blocks_2_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gebd2_blocks_2_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gebd2_blocks_2_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gebd2_blocks_2_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_gebd2_blocks_4_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebd2_blocks_4_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebd2_blocks_4_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebd2_blocks_4_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebd2_blocks_8_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebd2_blocks_8_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebd2_blocks_8_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebd2_blocks_8_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsqr_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsqr_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsqr_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsqr_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gesvj_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gesvj_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gesvj_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gesvj_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gesvj_8_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_gesvj_8_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_gesvj_8_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_gesvj_8_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_gesvj_16_s __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gesvj_16_d __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gesvj_16_c __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gesvj_16_z __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gesvj_32_s __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gesvj_32_d __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gesvj_32_c __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_gesvj_warps_32_s __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_gesvj_warps_32_d __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_gesvj_warps_32_c __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_gesvj_warps_32_z __launch_bounds__(128, 4)
#define BASALT_LAUNCH_basalt_gesvj_warps_64_s __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_gesvj_warps_64_d __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_gesvj_warps_64_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_gesvj_warps_64_z __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_gesvj_blocks_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gesvj_blocks_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gesvj_blocks_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gesvj_blocks_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_pseudo_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_pseudo_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_pseudo_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_pseudo_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytd2_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_sytd2_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_sytd2_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_sytd2_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_sytd2_warp_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_sytd2_warp_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_sytd2_warp_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_sytd2_warp_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_sytd2_blocks_2_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sytd2_blocks_2_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sytd2_blocks_2_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sytd2_blocks_2_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sytd2_blocks_4_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytd2_blocks_4_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytd2_blocks_4_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytd2_blocks_4_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytd2_blocks_8_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytd2_blocks_8_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytd2_blocks_8_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytd2_blocks_8_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sytd2_alone_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sytd2_alone_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sytd2_alone_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_sytd2_alone_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_latrd_column_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_column_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_column_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_column_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_row_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_row_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_row_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_row_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_panel_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_panel_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_panel_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_panel_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_latrd_diagonals_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_latrd_diagonals_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_latrd_diagonals_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_latrd_diagonals_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sb2st_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sb2st_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sb2st_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sb2st_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sb2st_warps_16_s __launch_bounds__(352)
#define BASALT_LAUNCH_basalt_sb2st_warps_16_d __launch_bounds__(352)
#define BASALT_LAUNCH_basalt_sb2st_warps_16_c __launch_bounds__(352)
#define BASALT_LAUNCH_basalt_sb2st_warps_16_z __launch_bounds__(352)
#define BASALT_LAUNCH_basalt_sb2st_warps_32_s __launch_bounds__(352)
#define BASALT_LAUNCH_basalt_sb2st_warps_32_d __launch_bounds__(352)
#define BASALT_LAUNCH_basalt_sb2st_warps_32_c __launch_bounds__(352)
#define BASALT_LAUNCH_basalt_sb2st_warps_32_z __launch_bounds__(224)
#define BASALT_LAUNCH_basalt_chased_tiles_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_chased_tiles_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_chased_tiles_c __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_chased_tiles_z __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_chased_s __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_chased_d __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_chased_c __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_chased_z __launch_bounds__(256, 1)
#define BASALT_LAUNCH_basalt_sterf_bisect_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sterf_bisect_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsqr_bisect_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsqr_bisect_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_sterf_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_sterf_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_steqr_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_steqr_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_split_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_split_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_leaves_s __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_stedc_leaves_d __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_stedc_deflate_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_deflate_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_gather_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_gather_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_secular_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_stedc_secular_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_stedc_weights_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_weights_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_vectors_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_vectors_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_products_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_products_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_join_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_join_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_sort_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stedc_sort_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syevj_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syevj_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syevj_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syevj_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_syevj_8_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_syevj_8_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_syevj_8_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_syevj_8_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_syevj_16_s __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_syevj_16_d __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_syevj_16_c __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_syevj_16_z __launch_bounds__(32)
#define BASALT_LAUNCH_basalt_syevj_32_s __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_syevj_32_d __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_syevj_32_c __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_syevj_32_z __launch_bounds__(32, 8)
#define BASALT_LAUNCH_basalt_syevj_64_s __launch_bounds__(256, 4)
#define BASALT_LAUNCH_basalt_syevj_64_d __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_syevj_64_c __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_syevj_64_z __launch_bounds__(256, 2)
#define BASALT_LAUNCH_basalt_syevj_128_s __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_syevj_128_d __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_syevj_128_c __launch_bounds__(512, 1)
#define BASALT_LAUNCH_basalt_syevj_blocks_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_syevj_blocks_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_syevj_blocks_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_syevj_blocks_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_eigen_range_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_eigen_range_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_eigen_range_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_eigen_range_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_stebz_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_stebz_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_stein_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_stein_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_bdsdc_split_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_split_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_leaves_s __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_bdsdc_leaves_d __launch_bounds__(64)
#define BASALT_LAUNCH_basalt_bdsdc_deflate_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_deflate_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_gather_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_gather_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_secular_s __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_bdsdc_secular_d __launch_bounds__(128)
#define BASALT_LAUNCH_basalt_bdsdc_weights_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_weights_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_vectors_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_vectors_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_products_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_products_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_join_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_join_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_sort_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_bdsdc_sort_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebal_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebal_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebal_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebal_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebak_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebak_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebak_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gebak_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ggbal_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ggbal_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ggbal_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_ggbal_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_unit_columns_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_unit_columns_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_unit_columns_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_unit_columns_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_gehd2_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gehd2_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gehd2_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_gehd2_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lahr2_column_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lahr2_column_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lahr2_column_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lahr2_column_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lahr2_row_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lahr2_row_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lahr2_row_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_lahr2_row_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_hseqr_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_hseqr_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_hseqr_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_hseqr_z __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_trevc_norm_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_norm_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_norm_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_norm_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_solve_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_solve_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_solve_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_solve_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_product_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_product_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_product_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_product_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_store_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_store_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_store_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trevc_store_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trexc_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trexc_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trexc_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trexc_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsen_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsen_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsen_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsen_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsyl_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsyl_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsyl_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsyl_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsna_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsna_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsna_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsna_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsen_sense_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsen_sense_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsen_sense_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_trsen_sense_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qz_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qz_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qz_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_qz_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tgsen_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tgsen_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tgsen_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tgsen_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_pair_values_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_pair_values_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_pair_values_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_pair_values_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tgevc_c __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tgevc_z __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tgevc_s __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_tgevc_d __launch_bounds__(256)
#define BASALT_LAUNCH_basalt_hseqr_windows_s __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_hseqr_windows_d __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_hseqr_windows_c __launch_bounds__(512)
#define BASALT_LAUNCH_basalt_hseqr_windows_z __launch_bounds__(512)

namespace basalt {
namespace row {

struct geam_sdcz {
    enum { shared = 0, threads = 256, tile = 32 };
};
struct min_plus_sd {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct plus_min_sd {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct mixed_gemm_sd {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct mixed_igemm_s {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct half_min_plus_s {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct half_plus_min_s {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct half_nn_32_s {
    enum { depth = 64, shared = 24576, stages = 2, threads = 64, tile = 32 };
};
struct half_nt_32_s {
    enum { depth = 64, shared = 32768, stages = 2, threads = 64, tile = 32 };
};
struct half_tn_32_s {
    enum { depth = 64, shared = 16384, stages = 2, threads = 64, tile = 32 };
};
struct half_tt_32_s {
    enum { depth = 64, shared = 24576, stages = 2, threads = 64, tile = 32 };
};
struct half_nn_48_s {
    enum { depth = 64, shared = 28672, stages = 2, threads = 128, tile = 48 };
};
struct half_nt_48_s {
    enum { depth = 64, shared = 32768, stages = 2, threads = 128, tile = 48 };
};
struct half_tn_48_s {
    enum { depth = 64, shared = 24576, stages = 2, threads = 128, tile = 48 };
};
struct half_tt_48_s {
    enum { depth = 64, shared = 28672, stages = 2, threads = 128, tile = 48 };
};
struct half_nn_64_s {
    enum { depth = 64, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct half_nt_64_s {
    enum { depth = 64, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct half_tn_64_s {
    enum { depth = 64, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct half_tt_64_s {
    enum { depth = 64, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct half_nn_96_s {
    enum { depth = 64, shared = 57344, stages = 2, threads = 128, tile = 96 };
};
struct half_nt_96_s {
    enum { depth = 64, shared = 65536, stages = 2, threads = 128, tile = 96 };
};
struct half_tn_96_s {
    enum { depth = 64, shared = 49152, stages = 2, threads = 128, tile = 96 };
};
struct half_tt_96_s {
    enum { depth = 64, shared = 57344, stages = 2, threads = 128, tile = 96 };
};
struct half_nn_128_s {
    enum { depth = 64, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct half_nt_128_s {
    enum { depth = 64, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct half_tn_128_s {
    enum { depth = 64, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct half_tt_128_s {
    enum { depth = 64, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct tf32_nn_64_s {
    enum { depth = 32, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct tf32_nt_64_s {
    enum { depth = 32, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct tf32_tn_64_s {
    enum { depth = 32, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct tf32_tt_64_s {
    enum { depth = 32, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct tf32_nn_128_s {
    enum { depth = 32, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct tf32_nt_128_s {
    enum { depth = 32, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct tf32_tn_128_s {
    enum { depth = 32, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct tf32_tt_128_s {
    enum { depth = 32, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct short_nn_64_s {
    enum { depth = 32, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct short_nt_64_s {
    enum { depth = 32, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct short_tn_64_s {
    enum { depth = 32, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct short_tt_64_s {
    enum { depth = 32, shared = 32768, stages = 2, threads = 128, tile = 64 };
};
struct short_nn_128_s {
    enum { depth = 32, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct short_nt_128_s {
    enum { depth = 32, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct short_tn_128_s {
    enum { depth = 32, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct short_tt_128_s {
    enum { depth = 32, shared = 98304, stages = 3, threads = 256, tile = 128 };
};
struct warpgroup_nn_128_s {
    enum { depth = 64, shared = 197632, stages = 6, threads = 256, tile = 128 };
};
struct warpgroup_nt_128_s {
    enum { depth = 64, shared = 197632, stages = 6, threads = 256, tile = 128 };
};
struct warpgroup_tn_128_s {
    enum { depth = 64, shared = 197632, stages = 6, threads = 256, tile = 128 };
};
struct warpgroup_tt_128_s {
    enum { depth = 64, shared = 197632, stages = 6, threads = 256, tile = 128 };
};
struct warpgroup_nn_256_s {
    enum { depth = 64, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct warpgroup_nt_256_s {
    enum { depth = 64, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct warpgroup_tn_256_s {
    enum { depth = 64, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct warpgroup_tt_256_s {
    enum { depth = 64, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct integers_nn_256_s {
    enum { depth = 128, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct integers_nt_256_s {
    enum { depth = 128, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct integers_tn_256_s {
    enum { depth = 128, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct integers_tt_256_s {
    enum { depth = 128, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct rounded_nn_256_s {
    enum { depth = 32, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct rounded_nt_256_s {
    enum { depth = 32, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct rounded_tn_256_s {
    enum { depth = 32, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct rounded_tt_256_s {
    enum { depth = 32, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct rounded_factors_128_s {
    enum { depth = 32, shared = 197632, stages = 6, threads = 256, tile = 128 };
};
struct rounded_factors_256_s {
    enum { depth = 32, shared = 197632, stages = 4, threads = 256, tile = 256 };
};
struct round_factors_s {
    enum { shared = 0, threads = 256, tile = 64 };
};
struct spmv_twice_sdcz {
    enum { rows = 8, shared = 0, threads = 512 };
};
struct symv_twice_sdcz {
    enum { rows = 8, shared = 0, threads = 512 };
};
struct gemm_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct symm_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct syrk_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct trmm_apart_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct part_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct both_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 64 };
};
struct few_gemm_sdcz {
    enum { shared = 0, threads = 256, tile = 16 };
};
struct few_symm_sdcz {
    enum { shared = 0, threads = 256, tile = 16 };
};
struct few_syrk_sdcz {
    enum { shared = 0, threads = 256, tile = 16 };
};
struct few_part_sdcz {
    enum { shared = 0, threads = 256, tile = 16 };
};
struct few_both_sdcz {
    enum { shared = 0, threads = 256, tile = 16 };
};
struct few_trmm_apart_sdcz {
    enum { shared = 0, threads = 256, tile = 16 };
};
struct few_trmm_sdcz {
    enum { shared = 0, threads = 256, tile = 16 };
};
struct outer_gemm_sdcz {
    enum { depth = 4, shared = 0, threads = 256, tile = 32 };
};
struct outer_syrk_sdcz {
    enum { depth = 4, shared = 0, threads = 256, tile = 32 };
};
struct outer_part_sdcz {
    enum { depth = 4, shared = 0, threads = 256, tile = 32 };
};
struct outer_both_sdcz {
    enum { depth = 4, shared = 0, threads = 256, tile = 32 };
};
struct sliced_gemm_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 16 };
};
struct sliced_symm_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 16 };
};
struct sliced_syrk_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 16 };
};
struct sliced_trmm_apart_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 16 };
};
struct sliced_trmm_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 16 };
};
struct sliced_part_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 16 };
};
struct sliced_both_sdcz {
    enum { depth = 16, shared = 0, threads = 256, tile = 16 };
};
struct sliced_deep_gemm_s {
    enum { depth = 16, shared = 10240, threads = 256, tile = 16 };
};
struct sliced_deep_gemm_cd {
    enum { depth = 16, shared = 20480, threads = 256, tile = 16 };
};
struct sliced_deep_gemm_z {
    enum { depth = 16, shared = 40960, threads = 256, tile = 16 };
};
struct sliced_deep_syrk_s {
    enum { depth = 16, shared = 10240, threads = 256, tile = 16 };
};
struct sliced_deep_syrk_cd {
    enum { depth = 16, shared = 20480, threads = 256, tile = 16 };
};
struct sliced_deep_syrk_z {
    enum { depth = 16, shared = 40960, threads = 256, tile = 16 };
};
struct sliced_deep_part_s {
    enum { depth = 16, shared = 10240, threads = 256, tile = 16 };
};
struct sliced_deep_part_cd {
    enum { depth = 16, shared = 20480, threads = 256, tile = 16 };
};
struct sliced_deep_part_z {
    enum { depth = 16, shared = 40960, threads = 256, tile = 16 };
};
struct sliced_deep_both_s {
    enum { depth = 16, shared = 10240, threads = 256, tile = 16 };
};
struct sliced_deep_both_cd {
    enum { depth = 16, shared = 20480, threads = 256, tile = 16 };
};
struct sliced_deep_both_z {
    enum { depth = 16, shared = 40960, threads = 256, tile = 16 };
};
struct small_8_sdcz {
    enum { shared = 0, threads = 128, tile = 8 };
};
struct small_16_sdcz {
    enum { shared = 0, threads = 128, tile = 16 };
};
struct small_flat_sdcz {
    enum { columns = 32, shared = 0, threads = 128, tile = 8 };
};
struct small_tall_sdcz {
    enum { columns = 8, shared = 0, threads = 128, tile = 32 };
};
struct small_24_sdcz {
    enum { shared = 0, threads = 32, tile = 24 };
};
struct small_32_s {
    enum { shared = 0, threads = 32, tile = 32 };
};
struct simt_nn_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_nn_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_nt_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_nt_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_tn_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_tn_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_tt_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_tt_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_half_nn_s {
    enum { depth = 8, shared = 0, threads = 64, tile = 64 };
};
struct simt_half_nn_c {
    enum { depth = 8, shared = 0, threads = 64, tile = 32 };
};
struct simt_half_nt_s {
    enum { depth = 8, shared = 0, threads = 64, tile = 64 };
};
struct simt_half_nt_c {
    enum { depth = 8, shared = 0, threads = 64, tile = 32 };
};
struct simt_half_tn_s {
    enum { depth = 8, shared = 0, threads = 64, tile = 64 };
};
struct simt_half_tn_c {
    enum { depth = 8, shared = 0, threads = 64, tile = 32 };
};
struct simt_half_tt_s {
    enum { depth = 8, shared = 0, threads = 64, tile = 64 };
};
struct simt_half_tt_c {
    enum { depth = 8, shared = 0, threads = 64, tile = 32 };
};
struct simt_part_nn_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_part_nn_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_part_nt_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_part_nt_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_part_tn_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_part_tn_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_part_tt_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_part_tt_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_both_n_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_both_n_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_both_t_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_both_t_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_syrk_n_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_syrk_n_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_syrk_t_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_syrk_t_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_trmm_ln_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_trmm_ln_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_trmm_lt_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_trmm_lt_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_trmm_rn_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_trmm_rn_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct simt_trmm_rt_s {
    enum { depth = 8, shared = 0, threads = 256, tile = 128 };
};
struct simt_trmm_rt_c {
    enum { depth = 8, shared = 0, threads = 256, tile = 64 };
};
struct tensor_nn_128_d {
    enum { depth = 16, shared = 149504, stages = 4, threads = 256, tile = 128 };
};
struct tensor_nt_128_d {
    enum { depth = 16, shared = 135168, stages = 4, threads = 256, tile = 128 };
};
struct tensor_tn_128_d {
    enum { depth = 16, shared = 163840, stages = 4, threads = 256, tile = 128 };
};
struct tensor_tt_128_d {
    enum { depth = 16, shared = 149504, stages = 4, threads = 256, tile = 128 };
};
struct tensor_syrk_n_128_d {
    enum { depth = 16, shared = 135168, stages = 4, threads = 256, tile = 128 };
};
struct tensor_syrk_t_128_d {
    enum { depth = 16, shared = 163840, stages = 4, threads = 256, tile = 128 };
};
struct tensor_trmm_ln_128_d {
    enum { depth = 16, shared = 149504, stages = 4, threads = 256, tile = 128 };
};
struct tensor_trmm_lt_128_d {
    enum { depth = 16, shared = 163840, stages = 4, threads = 256, tile = 128 };
};
struct tensor_trmm_rn_128_d {
    enum { depth = 16, shared = 149504, stages = 4, threads = 256, tile = 128 };
};
struct tensor_trmm_rt_128_d {
    enum { depth = 16, shared = 135168, stages = 4, threads = 256, tile = 128 };
};
struct tensor_nn_64_d {
    enum { depth = 16, shared = 56832, stages = 3, threads = 128, tile = 64 };
};
struct tensor_nt_64_d {
    enum { depth = 16, shared = 52224, stages = 3, threads = 128, tile = 64 };
};
struct tensor_tn_64_d {
    enum { depth = 16, shared = 61440, stages = 3, threads = 128, tile = 64 };
};
struct tensor_tt_64_d {
    enum { depth = 16, shared = 56832, stages = 3, threads = 128, tile = 64 };
};
struct tensor_syrk_n_64_d {
    enum { depth = 16, shared = 52224, stages = 3, threads = 128, tile = 64 };
};
struct tensor_syrk_t_64_d {
    enum { depth = 16, shared = 61440, stages = 3, threads = 128, tile = 64 };
};
struct tensor_trmm_ln_64_d {
    enum { depth = 16, shared = 56832, stages = 3, threads = 128, tile = 64 };
};
struct tensor_trmm_lt_64_d {
    enum { depth = 16, shared = 61440, stages = 3, threads = 128, tile = 64 };
};
struct tensor_trmm_rn_64_d {
    enum { depth = 16, shared = 56832, stages = 3, threads = 128, tile = 64 };
};
struct tensor_trmm_rt_64_d {
    enum { depth = 16, shared = 52224, stages = 3, threads = 128, tile = 64 };
};
struct tensor_nn_64_z {
    enum { depth = 16, shared = 74752, stages = 2, threads = 128, tile = 64 };
};
struct tensor_nt_64_z {
    enum { depth = 16, shared = 67584, stages = 2, threads = 128, tile = 64 };
};
struct tensor_tn_64_z {
    enum { depth = 16, shared = 81920, stages = 2, threads = 128, tile = 64 };
};
struct tensor_tt_64_z {
    enum { depth = 16, shared = 74752, stages = 2, threads = 128, tile = 64 };
};
struct tensor_syrk_n_64_z {
    enum { depth = 16, shared = 67584, stages = 2, threads = 128, tile = 64 };
};
struct tensor_syrk_t_64_z {
    enum { depth = 16, shared = 81920, stages = 2, threads = 128, tile = 64 };
};
struct tensor_trmm_ln_64_z {
    enum { depth = 16, shared = 74752, stages = 2, threads = 128, tile = 64 };
};
struct tensor_trmm_lt_64_z {
    enum { depth = 16, shared = 81920, stages = 2, threads = 128, tile = 64 };
};
struct tensor_trmm_rn_64_z {
    enum { depth = 16, shared = 74752, stages = 2, threads = 128, tile = 64 };
};
struct tensor_trmm_rt_64_z {
    enum { depth = 16, shared = 67584, stages = 2, threads = 128, tile = 64 };
};
struct tensor_syrk_n_half_d {
    enum { columns = 32, depth = 16, shared = 39936, stages = 3, threads = 128, tile = 64 };
};
struct tensor_syrk_t_half_d {
    enum { columns = 32, depth = 16, shared = 46080, stages = 3, threads = 128, tile = 64 };
};
struct tensor_syrk_n_32_z {
    enum { columns = 32, depth = 16, shared = 52224, stages = 3, threads = 128, tile = 32 };
};
struct tensor_syrk_t_32_z {
    enum { columns = 32, depth = 16, shared = 61440, stages = 3, threads = 128, tile = 32 };
};
struct tensor_part_nn_128_d {
    enum { depth = 16, shared = 149504, stages = 4, threads = 256, tile = 128 };
};
struct tensor_part_nt_128_d {
    enum { depth = 16, shared = 135168, stages = 4, threads = 256, tile = 128 };
};
struct tensor_part_tn_128_d {
    enum { depth = 16, shared = 163840, stages = 4, threads = 256, tile = 128 };
};
struct tensor_part_tt_128_d {
    enum { depth = 16, shared = 149504, stages = 4, threads = 256, tile = 128 };
};
struct tensor_both_n_128_d {
    enum { depth = 16, shared = 135168, stages = 4, threads = 256, tile = 128 };
};
struct tensor_both_t_128_d {
    enum { depth = 16, shared = 163840, stages = 4, threads = 256, tile = 128 };
};
struct tensor_part_nn_64_d {
    enum { depth = 16, shared = 56832, stages = 3, threads = 128, tile = 64 };
};
struct tensor_part_nt_64_d {
    enum { depth = 16, shared = 52224, stages = 3, threads = 128, tile = 64 };
};
struct tensor_part_tn_64_d {
    enum { depth = 16, shared = 61440, stages = 3, threads = 128, tile = 64 };
};
struct tensor_part_tt_64_d {
    enum { depth = 16, shared = 56832, stages = 3, threads = 128, tile = 64 };
};
struct tensor_both_n_64_d {
    enum { depth = 16, shared = 52224, stages = 3, threads = 128, tile = 64 };
};
struct tensor_both_t_64_d {
    enum { depth = 16, shared = 61440, stages = 3, threads = 128, tile = 64 };
};
struct tensor_part_nn_half_d {
    enum { columns = 32, depth = 16, shared = 41472, stages = 3, threads = 128, tile = 64 };
};
struct tensor_part_nt_half_d {
    enum { columns = 32, depth = 16, shared = 39936, stages = 3, threads = 128, tile = 64 };
};
struct tensor_part_tn_half_d {
    enum { columns = 32, depth = 16, shared = 46080, stages = 3, threads = 128, tile = 64 };
};
struct tensor_part_tt_half_d {
    enum { columns = 32, depth = 16, shared = 44544, stages = 3, threads = 128, tile = 64 };
};
struct tensor_both_n_half_d {
    enum { columns = 32, depth = 16, shared = 39936, stages = 3, threads = 128, tile = 64 };
};
struct tensor_both_t_half_d {
    enum { columns = 32, depth = 16, shared = 46080, stages = 3, threads = 128, tile = 64 };
};
struct tensor_part_nn_64_z {
    enum { depth = 16, shared = 74752, stages = 2, threads = 128, tile = 64 };
};
struct tensor_part_nt_64_z {
    enum { depth = 16, shared = 67584, stages = 2, threads = 128, tile = 64 };
};
struct tensor_part_tn_64_z {
    enum { depth = 16, shared = 81920, stages = 2, threads = 128, tile = 64 };
};
struct tensor_part_tt_64_z {
    enum { depth = 16, shared = 74752, stages = 2, threads = 128, tile = 64 };
};
struct tensor_both_n_64_z {
    enum { depth = 8, shared = 67584, stages = 4, threads = 128, tile = 64 };
};
struct tensor_both_t_64_z {
    enum { depth = 8, shared = 98304, stages = 4, threads = 128, tile = 64 };
};
struct thin_n_sdcz {
    enum { shared = 204800, sides = 8, threads = 256 };
};
struct thin_t_sdcz {
    enum { shared = 204800, sides = 8, threads = 256 };
};
struct deep_nn_d {
    enum { depth = 16, shared = 89600, stages = 3, threads = 128, tile = 64 };
};
struct deep_nn_z {
    enum { depth = 8, shared = 148480, stages = 4, threads = 128, tile = 64 };
};
struct deep_nt_d {
    enum { depth = 16, shared = 84992, stages = 3, threads = 128, tile = 64 };
};
struct deep_nt_z {
    enum { depth = 8, shared = 133120, stages = 4, threads = 128, tile = 64 };
};
struct deep_tn_d {
    enum { depth = 16, shared = 94208, stages = 3, threads = 128, tile = 64 };
};
struct deep_tn_z {
    enum { depth = 8, shared = 163840, stages = 4, threads = 128, tile = 64 };
};
struct deep_tt_d {
    enum { depth = 16, shared = 89600, stages = 3, threads = 128, tile = 64 };
};
struct deep_tt_z {
    enum { depth = 8, shared = 148480, stages = 4, threads = 128, tile = 64 };
};
struct cholesky_upper_d {
    enum { depth = 16, shared = 191040, stages = 4, threads = 256, tile = 64 };
};
struct cholesky_lower_d {
    enum { depth = 32, shared = 221760, stages = 3, threads = 256, tile = 64 };
};
struct cholesky_64_d {
    enum { shared = 36128, threads = 128, tile = 64 };
};
struct cholesky_128_d {
    enum { shared = 105760, threads = 256, tile = 64 };
};
struct lu_tiles_d {
    enum { depth = 16, shared = 184896, stages = 4, threads = 256, tile = 64 };
};

}  // namespace row
}  // namespace basalt

#endif
