#include "sweep/engine_option_names.hpp"

#include <string>

namespace inferbench::sweep {

namespace {

// Each name lies between two blanks.
constexpr std::string_view engine_switches =
    " allow_deprecated_quantization async_scheduling calculate_kv_scales cudagraph_metrics "
    "data_parallel_external_lb data_parallel_hybrid_lb data_parallel_multi_port_external_lb "
    "dcp_q_replicate disable_cascade_attn disable_chunked_mm_input disable_custom_all_reduce "
    "disable_hybrid_kv_cache_manager disable_nccl_for_dp_synchronization "
    "disable_sliding_window enable_batch_sharded_sampling enable_bf16x3_router_gemm "
    "enable_chunked_prefill enable_cumem_allocator enable_dbo enable_elastic_ep "
    "enable_ep_weight_filter enable_eplb enable_expert_parallel enable_fault_tolerance "
    "enable_flashinfer_autotune enable_layerwise_nvtx_tracing "
    "enable_logging_iteration_details enable_lora enable_mamba_cache_stochastic_rounding "
    "enable_mfu_metrics enable_mixed_moe_lora_format enable_mm_embeds "
    "enable_mm_processor_stats enable_moe_shared_loras enable_nccl_comm_suspend "
    "enable_prefix_caching enable_prompt_embeds enable_sleep_mode "
    "enable_tower_connector_lora enable_trace_replay enforce_eager "
    "fail_on_environ_validation fully_sharded_loras interleave_mm_strings "
    "jit_monitor_verbose kv_cache_metrics kv_sharing_fast_prefill language_model_only "
    "mm_device_do_normalize mm_encoder_only numa_bind ray_workers_use_nsight "
    "scheduler_reserve_full_isl skip_mm_profiling skip_tokenizer_init specialize_active_lora "
    "tokens_only trust_remote_code use_fp64_gumbel use_replayssm use_tqdm_on_load ";

constexpr std::string_view other_engine_options =
    " additional_config aggregate_engine_logging all2all_backend allowed_local_media_path "
    "allowed_media_domains attention_backend attention_config block_size code_revision "
    "collect_detailed_traces compilation_config config_format convert "
    "cp_kv_cache_interleave_size cpu_distributed_timeout_seconds cpu_offload_gb "
    "cpu_offload_params cudagraph_capture_sizes data_parallel_address data_parallel_backend "
    "data_parallel_rank data_parallel_rpc_port data_parallel_size data_parallel_size_local "
    "data_parallel_start_rank dbo_decode_token_threshold dbo_prefill_token_threshold "
    "dcp_comm_backend dcp_kv_cache_interleave_size decode_context_parallel_size "
    "default_mm_loras device_ids diffusion_config disable_log_stats "
    "distributed_executor_backend distributed_timeout_seconds download_dir dp_sync_interval "
    "dtype ec_manager_config ec_transfer_config eplb_config expert_placement_strategy "
    "fault_tolerance_config gdn_prefill_backend generation_config gpu_memory_utilization "
    "hf_config_path hf_overrides hf_token ignore_patterns io_processor_plugin ir_op_priority "
    "jit_monitor_mode kda_prefill_backend kernel_config kv_cache_dtype "
    "kv_cache_dtype_skip_layers kv_cache_memory_bytes kv_cache_metrics_sample "
    "kv_events_config kv_offloading_backend kv_offloading_size kv_transfer_config "
    "limit_mm_per_prompt linear_backend load_format logits_processor_pattern "
    "logits_processors logprobs_mode long_prefill_token_threshold lora_dtype "
    "lora_target_modules mamba_backend mamba_block_size mamba_cache_dtype mamba_cache_mode "
    "mamba_cache_philox_rounds mamba_config mamba_ssm_cache_dtype mamba_ssu_algorithm "
    "master_addr master_port max_cpu_loras max_cudagraph_capture_size max_logprobs "
    "max_long_partial_prefills max_lora_rank max_loras max_model_len max_num_batched_tokens "
    "max_num_partial_prefills max_num_queued_reqs max_num_queued_tokens "
    "max_num_scheduled_tokens max_num_seqs max_parallel_loading_workers media_io_kwargs "
    "mm_encoder_attn_backend mm_encoder_attn_dtype mm_encoder_fp8_scale_path "
    "mm_encoder_fp8_scale_save_margin mm_encoder_fp8_scale_save_path mm_encoder_tp_mode "
    "mm_hasher_algorithm mm_ipc_gpu_memory_gb mm_processor_cache_gb mm_processor_cache_type "
    "mm_processor_device mm_processor_kwargs mm_shm_cache_max_object_size_mb mm_tensor_ipc "
    "model model_class_overrides model_impl model_loader_extra_config model_weights "
    "moe_backend nnodes node_rank num_gpu_blocks_override numa_bind_cpus numa_bind_nodes "
    "offload_backend offload_group_size offload_num_in_group offload_params "
    "offload_prefetch_step optimization_level otlp_traces_endpoint override_attention_dtype "
    "override_generation_config per_request_spec_decode_metrics performance_mode "
    "pipeline_parallel_size pooler_config prefill_context_parallel_size "
    "prefill_schedule_interval prefix_cache_retention_interval prefix_caching_hash_algo "
    "prefix_match_unit profiler_config pt_load_map_location quantization quantization_config "
    "reasoning_config reasoning_parser reasoning_parser_plugin renderer_num_workers "
    "replayssm_buffer_len revision runner safetensors_load_strategy "
    "safetensors_prefetch_block_size safetensors_prefetch_num_threads scheduler_cls "
    "scheduling_policy seed served_model_name show_hidden_metrics_for_version "
    "shutdown_timeout spec_method spec_model spec_tokens speculative_config stream_interval "
    "structured_outputs_config swap_space tensor_parallel_size tokenizer tokenizer_mode "
    "tokenizer_revision ubatch_size video_pruning_method video_pruning_rate watermark "
    "weight_transfer_config worker_cls worker_extension_cls ";

}  // namespace

bool is_engine_option(std::string_view name) {
  constexpr std::string_view off = "no_";
  if (name.find(' ') != std::string_view::npos) return false;
  const std::string whole = " " + std::string(name) + " ";
  if (engine_switches.find(whole) != std::string_view::npos ||
      other_engine_options.find(whole) != std::string_view::npos)
    return true;
  return name.starts_with(off) &&
         engine_switches.find(" " + whole.substr(1 + off.size())) != std::string_view::npos;
}

}  // namespace inferbench::sweep
